import Synchronization

/// Values that depend only on some bytes, by a key that contains the SHA-256 of these bytes. Number and memory are
/// limited. The values that were not used for longest are forgotten first.
final class DigestMemory<Value: Sendable>: Sendable {
    private struct Kept {
        let value: Value
        let weight: Int
        var usedAt: UInt64
    }

    private struct State {
        var values: [[UInt8]: Kept] = [:]
        var weight = 0
        /// Rises with each use.
        var uses: UInt64 = 0
    }

    /// The maximum number of values.
    let maximumValues: Int
    /// The maximum of memory in bytes, as estimated by the callers that keep values.
    let maximumBytes: Int
    private let state = Mutex(State())

    init(maximumValues: Int, maximumBytes: Int) {
        self.maximumValues = maximumValues
        self.maximumBytes = maximumBytes
    }

    /// The value of a digest; `nil` if it is not kept.
    func value(of digest: [UInt8]) -> Value? {
        state.withLock { state in
            state.uses += 1
            state.values[digest]?.usedAt = state.uses
            return state.values[digest]?.value
        }
    }

    /// Keeps a value that takes about `bytes` of memory, unless that is more than a quarter of the limit.
    ///
    /// - Returns: the value, or the one that another caller has kept under this digest meanwhile.
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

    /// The number of kept values, and their estimated bytes.
    var size: (values: Int, bytes: Int) { state.withLock { ($0.values.count, $0.weight) } }

    /// Forgets the values that were not used for longest, down to seven eighths, so that not every new value causes it.
    private func forgetOldest(_ state: inout State) {
        for (digest, kept) in state.values.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard state.weight > maximumBytes / 8 * 7 || state.values.count > maximumValues / 8 * 7 else { return }
            state.values[digest] = nil
            state.weight -= kept.weight
        }
    }
}
