/// A text that patterns are compared with, and what has been learned of it, so that many patterns can use it.
///
/// The text is valid UTF-8. Lives for one evaluation.
final class ComparedText {
    let bytes: [UInt8]
    /// How much one step over a set of places costs, in words.
    let stepCost: Int

    private var variableEnds: [ObjectIdentifier: [(length: Int, ends: PositionSet)]] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        stepCost = bytes.count / 64 + 1
    }

    /// For each byte value the places where it stands; nil for nowhere.
    private lazy var places: [PositionSet?] = {
        var places = [PositionSet?](repeating: nil, count: 256)
        for (place, byte) in bytes.enumerated() {
            var set = places[Int(byte)] ?? PositionSet(length: bytes.count)
            places[Int(byte)] = nil
            set.insert(place)
            places[Int(byte)] = set
        }
        return places
    }()

    /// The places inside a scalar, where no step of a pattern ends; nil if there are none.
    private(set) lazy var continuations: PositionSet? = {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        var set = PositionSet(length: bytes.count)
        for (place, byte) in bytes.enumerated() where byte & 0xC0 == 0x80 { set.insert(place) }
        return set
    }()

    /// The places where a byte stands; nil for nowhere.
    func places(of byte: UInt8) -> PositionSet? { places[Int(byte)] }

    /// The places where a plain value of the variable may end, by the value's length.
    func ends(of variable: Variable, _ budget: inout MatchBudget) -> [(length: Int, ends: PositionSet)] {
        if let known = variableEnds[ObjectIdentifier(variable)] { return known }
        var result: [(length: Int, ends: PositionSet)] = []
        for (length, values) in variable.plainValues where length <= bytes.count {
            var ends = PositionSet(length: bytes.count)
            for value in values { addEnds(of: value, to: &ends, &budget) }
            if !ends.isEmpty { result.append((length, ends)) }
        }
        variableEnds[ObjectIdentifier(variable)] = result
        return result
    }

    private func addEnds(of value: [UInt8], to ends: inout PositionSet, _ budget: inout MatchBudget) {
        budget.spend(1)
        if let first = value.first, places(of: first) == nil { return }
        var set = PositionSet(length: bytes.count)
        set.insert(0)
        set.fillUp()
        for byte in value {
            budget.spend(stepCost)
            guard !budget.isExhausted, let here = places(of: byte) else { return }
            set.formIntersection(here)
            set.advance(by: 1)
        }
        ends.formUnion(set)
    }
}

/// How much work an evaluation may still do, in steps over one machine word.
///
/// Comparing costs at most pattern × text / 64, so only a file made to be slow runs out of it. Apple's systems give up
/// on such patterns too ("too complex", [REP]).
struct MatchBudget {
    /// Some tens of milliseconds.
    static let perURL = 20_000_000

    private var remaining = MatchBudget.perURL

    var isExhausted: Bool { remaining <= 0 }

    mutating func spend(_ steps: Int) { remaining -= steps }
}
