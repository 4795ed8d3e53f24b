/// An error of a migration.
public enum MigrationError: Error, Sendable, Hashable {
    /// A folder or file cannot be read, or is not UTF-8.
    case unreadable(path: String)
    /// A `.sql` file is not named `NNNN_name.sql`.
    case misnamed(file: String)
    /// Two files have the same number.
    case duplicate(number: Int)
    /// A number is missing.
    case gap(missing: Int)
    /// The database has a migration that this version does not know. A newer version applied it.
    case databaseIsNewer(applied: Int, known: Int)
    /// A file differs from the applied migration with the same number.
    case edited(migration: String)
    /// The database lacks migrations. Thrown only by `Migrator.check`.
    case databaseIsOlder(applied: Int, known: Int)
    /// A file contains `begin`, `commit` or `rollback`.
    case controlsTransaction(migration: String)
    /// PostgreSQL refused a file.
    case failed(migration: String, PostgresError)
}

extension MigrationError: CustomStringConvertible {
    /// The error message: the problem and the remedy.
    public var description: String {
        switch self {
        case .unreadable(let path): "cannot read \(path)"
        case .misnamed(let file): "\(file) is not named NNNN_name.sql"
        case .duplicate(let number): "two migrations have the number \(number): give one of them the next free number"
        case .gap(let missing): "migration \(missing) is missing: numbers must follow each other from 1"
        case .databaseIsNewer(let applied, let known):
            "the database is at migration \(applied), this version knows \(known): run the newer version"
        case .edited(let migration):
            "\(migration) was edited after it was applied: restore it and write a new migration"
        case .databaseIsOlder(let applied, let known):
            "the database is at migration \(applied) of \(known): run `waymark migrate`"
        case .controlsTransaction(let migration):
            "\(migration) begins or ends a transaction: every migration already runs in its own"
        case .failed(let migration, let error): "\(migration): \(error.server?.message ?? error.description)"
        }
    }
}
