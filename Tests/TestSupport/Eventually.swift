/// Waits until a condition becomes true.
///
/// - Parameters:
///   - limit: the maximum time. It is long, so that a test on a busy machine only takes longer.
///   - condition: the condition, checked every few milliseconds.
/// - Returns: whether the condition became true.
public func eventually(
    within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}
