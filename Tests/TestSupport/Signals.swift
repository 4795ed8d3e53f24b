import Dispatch
import Postgres
import Synchronization

/// Holds a transaction open until the test lets it go. A closure of the store runs on its connection's own thread and
/// may block there.
public final class Hold: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// A hold that nobody has come to.
    public init() {}

    /// In the transaction: says that it has come here, and waits.
    public func stop() {
        entered.signal()
        released.wait()
    }

    /// In the test: until the transaction has come to ``stop()``.
    public func reached() async {
        while !Task.isCancelled, entered.wait(timeout: .now()) == .timedOut {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Lets the transaction go on.
    public func release() { released.signal() }
}

/// Set once.
public final class Flag: Sendable {
    private let value = Atomic(false)

    /// A flag that is not set.
    public init() {}

    /// Whether it is set.
    public var isSet: Bool { value.load(ordering: .acquiring) }
    /// Sets it.
    public func set() { value.store(true, ordering: .releasing) }
}

extension TestDatabase {
    /// Waits until `count` of its transactions wait for a lock, or `isOver` says that nobody will.
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
