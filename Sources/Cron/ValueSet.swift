/// A set of small numbers, 0 to 63.
struct ValueSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    mutating func insert(_ value: Int) { bits |= 1 << UInt64(value) }

    mutating func remove(_ value: Int) { bits &= ~(1 << UInt64(value)) }

    func contains(_ value: Int) -> Bool { bits & (1 << UInt64(value)) != 0 }

    /// The smallest value that is at least `bound`.
    func first(from bound: Int) -> Int? {
        guard bound < 64 else { return nil }
        let rest = bits & (UInt64.max << UInt64(bound))
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }

    /// The values in ascending order.
    var values: [Int] { (0..<64).filter(contains) }
}
