import Postgres

/// A lease that is renewed while its holder works.
struct Lease {
    /// The duration of the lease after each renewal, in seconds.
    let seconds: Int
    /// The error to throw if the lease is lost.
    let lost: any Error
    /// Renews the lease. Returns false if another worker holds it.
    let renew: @Sendable () async throws -> Bool

    /// Runs the work. Renews the lease each time a third of it has passed. If the lease cannot be renewed in time,
    /// cancels the work and throws `lost`.
    func holding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask { throw await end() }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw lost }
            return value
        }
    }

    /// Renews the lease until this fails, and returns the reason. If the database is unavailable, retries until the
    /// lease is about to end by this machine's monotonic clock.
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
