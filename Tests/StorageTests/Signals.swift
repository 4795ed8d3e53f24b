import Dispatch
import Postgres
import Storage
import Synchronization
import TestSupport

/// Holds a transaction open until the test lets it go. A closure of the store runs on its connection's own thread and
/// may block there.
final class Hold: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// In the transaction: says that it has come here, and waits.
    func stop() {
        entered.signal()
        released.wait()
    }

    /// In the test: until the transaction has come to ``stop()``.
    func reached() async {
        while !Task.isCancelled, entered.wait(timeout: .now()) == .timedOut {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Lets the transaction go on.
    func release() { released.signal() }
}

/// Set once.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

extension StoreUnderTest {
    /// Waits until `count` transactions of this database wait for a lock, or `isOver` says that nobody will.
    func untilBlocked(_ count: Int = 1, unless isOver: Flag) async throws {
        let name = database.name
        while !isOver.isSet {
            let waiting = try await asSuperuser { database in
                try database.first(
                    """
                    select count(*) as waiting from pg_stat_activity
                    where datname = \(name) and wait_event_type = 'Lock'
                    """)?.decode("waiting", as: Int.self) ?? 0
            }
            if waiting >= count { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
