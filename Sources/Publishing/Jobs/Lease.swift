import Postgres

/// What a worker holds for a time, and renews while it works.
struct Lease {
    /// How long it holds after each renewal.
    let seconds: Int
    /// What is thrown when it is over.
    let lost: any Error
    /// Holds it for as long again; false when another worker has it.
    let renew: @Sendable () async throws -> Bool

    /// Renews the lease beside the work, at each third of its length, and cancels the work when that cannot be done in
    /// time. Throws `lost` then.
    func holding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask { throw await end() }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw lost }
            return value
        }
    }

    /// Why it is not renewed any more. A database that is away may be back before it is over by this machine's steady
    /// clock.
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
