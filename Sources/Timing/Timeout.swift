/// An operation took longer than its limit.
package struct TimedOut: Error {}

/// Runs an operation, and cancels it if it takes longer than `limit`.
///
/// The operation must support cancellation: this function returns only when the operation has ended. If the calling
/// task is cancelled, the operation is cancelled too. Its result is then discarded, because it may be incomplete.
///
/// - Throws: `TimedOut`, `CancellationError`, or the operation's error.
package func withTimeout<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: operation)
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        try Task.checkCancellation()
        return value
    }
}
