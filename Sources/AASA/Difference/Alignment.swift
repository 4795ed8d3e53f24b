/// Finds the longest common subsequence of two sequences.
///
/// The result does not depend on the order of the sequences: the difference from A to B is the reverse of the
/// difference from B to A.
struct Alignment {
    /// The number of table cells that can still be filled. The longest common subsequence needs a table of left × right
    /// cells.
    private var cells: Int
    /// Whether a result is shorter than the longest common subsequence, because there were too few cells.
    private(set) var isCoarse = false

    /// - Parameter cells: The maximum number of cells of all tables together. Filling 4,000,000 cells takes about ten
    ///   milliseconds.
    init(cells: Int = 4_000_000) { self.cells = cells }

    /// The indices of a longest common subsequence, ascending on both sides. If there are too few cells, only elements
    /// that occur once on each side are used.
    mutating func common(_ left: [Int], _ right: [Int]) -> [(left: Int, right: Int)] {
        if right.lexicographicallyPrecedes(left) {
            return common(right, left).map { ($0.right, $0.left) }
        }
        let head = zip(left, right).prefix { $0 == $1 }.count
        let rest = min(left.count, right.count) - head
        let tail = zip(left.reversed(), right.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let middleLeft = Array(left[head..<(left.count - tail)])
        let middleRight = Array(right[head..<(right.count - tail)])
        let middle = middleCommon(middleLeft, middleRight).map { ($0.left + head, $0.right + head) }
        return (0..<head).map { ($0, $0) } + middle
            + (0..<tail).map { (left.count - tail + $0, right.count - tail + $0) }
    }

    /// The indices of a longest sequence of matching pairs, ascending on both sides. Empty if there are too few cells.
    /// If there are several such sequences, later elements of the left side are preferred.
    mutating func longest(
        _ leftCount: Int, _ rightCount: Int, _ goTogether: (Int, Int) -> Bool
    ) -> [(left: Int, right: Int)] {
        let (needed, overflow) = leftCount.multipliedReportingOverflow(by: rightCount)
        guard !overflow, needed <= cells else {
            isCoarse = true
            return []
        }
        cells -= needed
        let width = rightCount + 1
        // lengths[i × width + j] is the length of the longest common subsequence of left[i...] and right[j...]. It fits
        // into 16 bits, because the shorter side has at most as many elements as the square root of the number of
        // cells.
        var lengths = [UInt16](repeating: 0, count: (leftCount + 1) * width)
        var matches = [Bool](repeating: false, count: needed)
        for i in (0..<leftCount).reversed() {
            for j in (0..<rightCount).reversed() {
                let isMatch = goTogether(i, j)
                matches[i * rightCount + j] = isMatch
                let below = lengths[(i + 1) * width + j]
                let beside = lengths[i * width + j + 1]
                lengths[i * width + j] = isMatch ? lengths[(i + 1) * width + j + 1] + 1 : max(below, beside)
            }
        }
        var pairs: [(left: Int, right: Int)] = []
        var (i, j) = (0, 0)
        while i < leftCount, j < rightCount {
            if matches[i * rightCount + j] {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }

    private mutating func middleCommon(_ left: [Int], _ right: [Int]) -> [(left: Int, right: Int)] {
        // Elements of only one side are removed first, so that they use no cells.
        let (onLeft, onRight) = (Set(left), Set(right))
        let leftPlaces = left.indices.filter { onRight.contains(left[$0]) }
        let rightPlaces = right.indices.filter { onLeft.contains(right[$0]) }
        let pairs = sharedCommon(leftPlaces.map { left[$0] }, rightPlaces.map { right[$0] })
        return pairs.map { (leftPlaces[$0.left], rightPlaces[$0.right]) }
    }

    /// A common subsequence of two sequences. All elements must occur on both sides.
    private mutating func sharedCommon(_ left: [Int], _ right: [Int]) -> [(left: Int, right: Int)] {
        let unique = Self.uniquePlaces(left, right)
        if unique.count == left.count, unique.count == right.count { return Self.longestAscending(unique) }
        let (needed, overflow) = left.count.multipliedReportingOverflow(by: right.count)
        if !overflow, needed <= cells { return longest(left.count, right.count) { left[$0] == right[$1] } }
        isCoarse = true
        return Self.longestAscending(unique)
    }

    /// The indices of the elements that occur once on each side, ascending on the left.
    private static func uniquePlaces(_ left: [Int], _ right: [Int]) -> [(left: Int, right: Int)] {
        func places(_ elements: [Int]) -> [Int: Int?] {
            Dictionary(elements.enumerated().map { ($1, Optional($0)) }, uniquingKeysWith: { _, _ in nil })
        }
        let (onLeft, onRight) = (places(left), places(right))
        return left.enumerated().compactMap { place, element in
            guard onLeft[element] == .some(.some(place)), case .some(.some(let other)) = onRight[element] else {
                return nil
            }
            return (place, other)
        }
    }

    /// The longest subsequence that also ascends on the right, found by patience sorting.
    private static func longestAscending(_ pairs: [(left: Int, right: Int)]) -> [(left: Int, right: Int)] {
        // ends[n] is the pair that ends the subsequence of n + 1 pairs whose last element is smallest.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].right < pair.right { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var chain: [(left: Int, right: Int)] = []
        var next = ends.last
        while let index = next {
            chain.append(pairs[index])
            next = previous[index]
        }
        return chain.reversed()
    }
}
