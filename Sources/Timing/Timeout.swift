/// An operation took longer than its limit.
package struct TimedOut: Error {}

/// Runs an operation, and cancels it when it takes longer than `limit`.
///
/// The operation must heed cancellation: this function returns only when the operation has ended. When the calling task is
/// cancelled, so is the operation; its result is thrown away, because it may be a part of what was asked for.
///
/// - Throws: `TimedOut`, `CancellationError`, or what the operation throws.
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
