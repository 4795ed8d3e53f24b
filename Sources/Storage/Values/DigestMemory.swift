import Synchronization

/// Values that follow from bytes alone, by the SHA-256 of the bytes: what was used last, bounded in number and memory. It
/// is safe across organizations, because who knows the digest has been given the bytes.
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

    /// The most values.
    let mostValues: Int
    /// The most bytes of memory that the values may take, as estimated by who keeps them.
    let mostBytes: Int
    private let state = Mutex(State())

    init(mostValues: Int, mostBytes: Int) {
        self.mostValues = mostValues
        self.mostBytes = mostBytes
    }

    /// The value of a digest; `nil` if it is not kept.
    func value(of digest: [UInt8]) -> Value? {
        state.withLock { state in
            state.uses += 1
            state.values[digest]?.usedAt = state.uses
            return state.values[digest]?.value
        }
    }

    /// Keeps a value that takes about so many bytes, unless it alone takes a quarter of the memory. Another caller may
    /// have kept one of the same digest meanwhile: then that one is returned.
    func keep(_ value: Value, of digest: [UInt8], bytes: Int) -> Value {
        guard bytes <= mostBytes / 4 else { return value }
        return state.withLock { state in
            if let kept = state.values[digest] { return kept.value }
            state.uses += 1
            state.values[digest] = Kept(value: value, weight: bytes, usedAt: state.uses)
            state.weight += bytes
            if state.weight > mostBytes || state.values.count > mostValues { forgetOldest(&state) }
            return value
        }
    }

    /// How many values are kept, and how many bytes they take as estimated.
    var size: (values: Int, bytes: Int) { state.withLock { ($0.values.count, $0.weight) } }

    /// Forgets what was not used for longest, down to seven eighths, so that it is not done for every new value.
    private func forgetOldest(_ state: inout State) {
        for (digest, kept) in state.values.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard state.weight > mostBytes / 8 * 7 || state.values.count > mostValues / 8 * 7 else { return }
            state.values[digest] = nil
            state.weight -= kept.weight
        }
    }
}
