/// A set of places in a text of `length` bytes: 0 before the first, `length` behind the last. One machine word holds 64.
struct PositionSet {
    private(set) var words: [UInt64]

    init(length: Int) { words = [UInt64](repeating: 0, count: length / 64 + 1) }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ place: Int) -> Bool { words[place / 64] >> UInt64(place % 64) & 1 == 1 }

    mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

    mutating func formUnion(_ other: PositionSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    mutating func formIntersection(_ other: PositionSet) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    mutating func subtract(_ other: PositionSet) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// Moves every place on by `distance`; what leaves the last word is lost.
    mutating func advance(by distance: Int) {
        let (skip, shift) = (distance / 64, UInt64(distance % 64))
        for index in words.indices.reversed() {
            var word: UInt64 = 0
            if index >= skip {
                word = words[index - skip] << shift
                if shift > 0, index > skip { word |= words[index - skip - 1] >> (64 - shift) }
            }
            words[index] = word
        }
    }

    /// Adds every place behind the first one.
    mutating func fillUp() {
        guard let first = words.firstIndex(where: { $0 != 0 }) else { return }
        // x | ~(x - 1): the lowest bit and all above it.
        words[first] |= ~(words[first] &- 1)
        for index in words.indices where index > first { words[index] = .max }
    }

    /// Takes away what lies behind `length`, the end of the text.
    mutating func clear(above length: Int) {
        let used = UInt64(length % 64)
        if used < 63 { words[length / 64] &= (1 << (used + 1)) - 1 }
    }
}
