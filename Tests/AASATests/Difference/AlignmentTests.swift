import Testing

@testable import AASA

@Suite("Alignment of two sequences")
struct AlignmentTests {
    /// The length of a longest common subsequence, by the definition.
    private static func length(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>) -> Int {
        guard let first = left.first, !right.isEmpty else { return 0 }
        let without = length(left.dropFirst(), right)
        guard let place = right.firstIndex(of: first) else { return without }
        return max(without, 1 + length(left.dropFirst(), right[(place + 1)...]))
    }

    private static func isAscending(_ pairs: [(left: Int, right: Int)]) -> Bool {
        zip(pairs, pairs.dropFirst()).allSatisfy { $0.left < $1.left && $0.right < $1.right }
    }

    @Test("the result is a longest common subsequence, ascends, and does not depend on the order of the two sides")
    func longest() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let (left, right) = (sequence(&random), sequence(&random))
            var alignment = Alignment()
            let pairs = alignment.common(left, right)
            #expect(pairs.allSatisfy { left[$0.left] == right[$0.right] })
            #expect(Self.isAscending(pairs))
            #expect(pairs.count == Self.length(left[...], right[...]), "\(left) \(right)")
            let back = alignment.common(right, left)
            #expect(back.map(\.left) == pairs.map(\.right) && back.map(\.right) == pairs.map(\.left))
            #expect(!alignment.isCoarse)
        }
    }

    @Test("without cells, the result is marked as coarser, and is still a common subsequence")
    func coarse() {
        var random = SeededRandom(seed: 2)
        var coarse = 0
        for _ in 0..<500 {
            let (left, right) = (sequence(&random), sequence(&random))
            var alignment = Alignment(cells: 0)
            let pairs = alignment.common(left, right)
            #expect(pairs.allSatisfy { left[$0.left] == right[$0.right] })
            #expect(Self.isAscending(pairs))
            if alignment.isCoarse { coarse += 1 } else { #expect(pairs.count == Self.length(left[...], right[...])) }
        }
        #expect(coarse > 100)
    }

    @Test("aligning a permutation takes no cells")
    func permutation() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            let left = Array(0..<Int.random(in: 1...9, using: &random))
            let right = left.shuffled(using: &random)
            var alignment = Alignment(cells: 0)
            #expect(alignment.common(left, right).count == Self.length(left[...], right[...]))
            #expect(!alignment.isCoarse)
        }
    }

    private func sequence(_ random: inout SeededRandom) -> [Int] {
        (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0..<5, using: &random) }
    }
}
