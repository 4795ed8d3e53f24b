/// Waits until something is so: for what happens in its own time.
///
/// - Parameters:
///   - limit: how long at most. Long, so that a busy machine changes nothing but the duration.
///   - condition: asked every few milliseconds.
/// - Returns: whether it became so.
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
