/// Runs `work`. Throws `SnapshotSourceError.timedOut` if it takes longer than `limit`.
func withDeadline<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: limit)
            throw SnapshotSourceError.timedOut
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw SnapshotSourceError.cancelled }
        return first
    }
}
