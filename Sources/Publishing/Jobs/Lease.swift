import Postgres

/// A lease that is renewed during the work.
struct Lease {
    /// The duration after each renewal.
    let seconds: Int
    /// The error if the lease is lost.
    let lost: any Error
    /// Renews the lease; false if another worker has it.
    let renew: @Sendable () async throws -> Bool

    /// Renews the lease after each third of its duration during the work. If it cannot be renewed in time, the work is
    /// cancelled and `lost` is thrown.
    func holding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask { throw await end() }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw lost }
            return value
        }
    }

    /// Why the lease is no longer renewed. If the database is unavailable, it may return before the lease ends by this
    /// machine's steady clock.
    private func end() async -> any Error {
        let third = Duration.seconds(seconds) / 3
        var end = ContinuousClock.now + .seconds(seconds)
        while true {
            do {
                try await Task.sleep(for: third)
                let asked = ContinuousClock.now
                guard try await renew() else { return lost }
                end = asked + .seconds(seconds)
            } catch let error as PostgresError where error.isUnavailable {
                guard ContinuousClock.now + third < end else { return lost }
            } catch {
                return error
            }
        }
    }
}
