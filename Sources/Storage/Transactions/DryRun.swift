import Postgres

/// Dry runs of changes: all checks run, and nothing is changed.
public enum DryRun {
    /// Whether the task handles a request that only tries a change out. Each transaction of ``Store`` that could change
    /// something is then rolled back at its end, and its result is returned as if it had been committed.
    @TaskLocal public static var isOn = false

    /// Runs the body of a transaction. In a dry run, throws ``RolledBack`` with its value, so that it is rolled back.
    static func run<Value: Sendable>(_ isOn: Bool, in database: Database, _ body: () throws -> Value) throws -> Value {
        let value = try body()
        guard isOn else { return value }
        // Some constraints are otherwise checked by the commit.
        try database.execute("set constraints all immediate")
        throw RolledBack(value: value)
    }

    /// The value of a transaction that was rolled back because of a dry run.
    struct RolledBack<Value: Sendable>: Error {
        let value: Value
    }
}
