import Synchronization

/// A cache of values that are computed from bytes. The key contains the SHA-256 of these bytes. The number of values
/// and their memory are limited. If a limit is exceeded, the values that were unused for longest are removed.
final class DigestMemory<Value: Sendable>: Sendable {
    private struct Kept {
        let value: Value
        let weight: Int
        var usedAt: UInt64
    }

    private struct State {
        var values: [[UInt8]: Kept] = [:]
        var weight = 0
        /// A counter that increases with each use. It orders the values by their last use.
        var uses: UInt64 = 0
    }

    /// The maximum number of values.
    let maximumValues: Int
    /// The maximum memory of all values in bytes, as estimated by the callers.
    let maximumBytes: Int
    private let state = Mutex(State())

    init(maximumValues: Int, maximumBytes: Int) {
        self.maximumValues = maximumValues
        self.maximumBytes = maximumBytes
    }

    /// The cached value for a digest, or `nil` if the digest is not cached.
    func value(of digest: [UInt8]) -> Value? {
        state.withLock { state in
            state.uses += 1
            state.values[digest]?.usedAt = state.uses
            return state.values[digest]?.value
        }
    }

    /// Caches a value, unless it takes more than a quarter of ``maximumBytes``.
    ///
    /// - Parameter bytes: The estimated memory of the value, in bytes.
    /// - Returns: The value, or the value that another caller has cached for this digest in the meantime.
    func keep(_ value: Value, of digest: [UInt8], bytes: Int) -> Value {
        guard bytes <= maximumBytes / 4 else { return value }
        return state.withLock { state in
            if let kept = state.values[digest] { return kept.value }
            state.uses += 1
            state.values[digest] = Kept(value: value, weight: bytes, usedAt: state.uses)
            state.weight += bytes
            if state.weight > maximumBytes || state.values.count > maximumValues { forgetOldest(&state) }
            return value
        }
    }

    /// The number of cached values, and their estimated memory in bytes.
    var size: (values: Int, bytes: Int) { state.withLock { ($0.values.count, $0.weight) } }

    /// Removes the values that were unused for longest, until the cache is at most seven eighths full. So the next
    /// values do not each need a removal.
    private func forgetOldest(_ state: inout State) {
        for (digest, kept) in state.values.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard state.weight > maximumBytes / 8 * 7 || state.values.count > maximumValues / 8 * 7 else { return }
            state.values[digest] = nil
            state.weight -= kept.weight
        }
    }
}
