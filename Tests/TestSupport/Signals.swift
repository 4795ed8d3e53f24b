import Dispatch
import Postgres
import Synchronization

/// Holds a transaction open until the test releases it. A closure of the store runs on its connection's own thread and
/// may block there.
public final class Hold: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// Creates a hold that no transaction has reached.
    public init() {}

    /// In the transaction: signals that it is here, and waits.
    public func stop() {
        entered.signal()
        released.wait()
    }

    /// In the test: waits until the transaction is in ``stop()``.
    public func reached() async {
        while !Task.isCancelled, entered.wait(timeout: .now()) == .timedOut {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// In the test: lets the transaction continue.
    public func release() { released.signal() }
}

/// A flag that can be set once.
public final class Flag: Sendable {
    private let value = Atomic(false)

    /// Creates a flag that is not set.
    public init() {}

    /// Whether the flag is set.
    public var isSet: Bool { value.load(ordering: .acquiring) }
    /// Sets the flag.
    public func set() { value.store(true, ordering: .releasing) }
}

extension TestDatabase {
    /// Waits until `count` transactions in this database wait for a lock, or until `isOver` is set.
    public func untilBlocked(_ count: Int = 1, unless isOver: Flag) async throws {
        let name = name
        let pool = PostgresPool(try await TestCluster.shared.superuser(), logger: TestCluster.silent)
        let result: Result<Void, any Error>
        do {
            while !isOver.isSet, try await waiting(in: name, pool) < count {
                try await Task.sleep(for: .milliseconds(5))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await pool.close()
        try result.get()
    }

    private func waiting(in name: String, _ pool: PostgresPool) async throws -> Int {
        try await pool.read { database in
            try database.first(
                """
                select count(*) as waiting from pg_stat_activity
                where datname = \(name) and wait_event_type = 'Lock'
                """)?.decode("waiting", as: Int.self) ?? 0
        }
    }
}
