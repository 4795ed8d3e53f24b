/// Compares patterns with texts by following all possible matches at the same time.
///
/// A bit set has one bit for each place in the text that the steps so far can reach. A machine word holds 64 places, so
/// a comparison costs steps × text length / 64. The memory is reused for each text.
struct PlaceMatcher: ~Copyable {
    /// The sets, each with `words` words, in this order: the current places, the places after a variable, the places
    /// inside one value, the places inside a scalar, and one set for each byte value in the text.
    private var sets = ScratchMemory<UInt64>(capacity: 64)
    /// The set number of each byte value, or 0 if the text does not contain it.
    private var setOfByte = ScratchMemory<UInt16>(capacity: 256)
    private var words = 0
    private var length = 0
    private var hasContinuations = false
    /// The identity of the text that the sets belong to, or `nil` if there is no text.
    private var prepared: Int?

    /// The number of sets before the sets of byte values.
    private static let fixedSets = 4
    private static let placesSet = 0
    private static let resultSet = 1
    private static let valueSet = 2
    private static let continuationSet = 3

    /// Drops the text, so that another text can have its identity.
    mutating func forget() { prepared = nil }

    /// Whether the text matches. The caller has checked the prefix. Returns false if the budget is exhausted.
    mutating func matches(
        _ pattern: PatternView, _ text: TextView, _ variables: VariableList, _ budget: inout MatchBudget
    ) -> Bool {
        prepare(text, &budget)
        clear(Self.placesSet)
        set(Self.placesSet)[pattern.prefix / 64] |= 1 << UInt64(pattern.prefix % 64)
        for index in pattern.prefix..<pattern.count {
            budget.spend(words)
            guard !budget.isExhausted else { return false }
            let code = pattern.code[index]
            let isAlive =
                if code >= StepCode.character {
                    follow(
                        variables.start[pattern.firstVariable + Int(StepCode.place(code))].takeUnretainedValue(),
                        &budget)
                } else {
                    follow(code, in: Self.placesSet)
                }
            guard isAlive else { return false }
        }
        return set(Self.placesSet)[length / 64] >> UInt64(length % 64) & 1 == 1
    }

    private func set(_ number: Int) -> UnsafeMutablePointer<UInt64> { sets.start + number * words }

    private func clear(_ number: Int) { set(number).update(repeating: 0, count: words) }

    /// Creates the sets for the bytes of a text.
    private mutating func prepare(_ text: TextView, _ budget: inout MatchBudget) {
        if prepared == text.identity, length == text.count { return }
        prepared = text.identity
        length = text.count
        words = length / 64 + 1
        hasContinuations = false
        sets.cut(to: 0)
        _ = sets.reserve(Self.fixedSets * words)
        setOfByte.cut(to: 0)
        _ = setOfByte.reserve(256)
        setOfByte.start.update(repeating: 0, count: 256)
        clear(Self.continuationSet)
        var number = Self.fixedSets
        for place in 0..<length {
            let byte = text.start[place]
            if setOfByte.start[Int(byte)] == 0 {
                setOfByte.start[Int(byte)] = UInt16(truncatingIfNeeded: number)
                _ = sets.reserve(words)
                clear(number)
                number += 1
            }
            let bit: UInt64 = 1 << UInt64(place % 64)
            set(Int(setOfByte.start[Int(byte)]))[place / 64] |= bit
            if byte & 0xC0 == 0x80 {
                hasContinuations = true
                set(Self.continuationSet)[place / 64] |= bit
            }
        }
        budget.spend(length + number * words)
    }

    /// Follows a step that is not a variable. Returns false if no place remains.
    private func follow(_ code: UInt32, in number: Int) -> Bool {
        let places = set(number)
        switch code {
        case StepCode.run:
            fillUp(places)
            return true
        case StepCode.one:
            advance(places)
            return leaveScalars(places)
        default:
            let here = Int(setOfByte.start[Int(code & 0xFF)])
            guard here > 0 else { return false }
            return advance(places, through: set(here))
        }
    }

    /// Keeps only the places that are also in `here`, and advances them by one. Returns false if no place remains.
    @inline(__always)
    private func advance(_ places: UnsafeMutablePointer<UInt64>, through here: UnsafeMutablePointer<UInt64>) -> Bool {
        var carry: UInt64 = 0
        var all: UInt64 = 0
        for index in 0..<words {
            let kept = places[index] & here[index]
            places[index] = kept << 1 | carry
            carry = kept >> 63
            all |= kept
        }
        return all != 0
    }

    /// Advances all places by one. A place at the end of the text is dropped.
    private func advance(_ places: UnsafeMutablePointer<UInt64>) {
        var carry: UInt64 = 0
        for index in 0..<words {
            let word = places[index]
            places[index] = word << 1 | carry
            carry = word >> 63
        }
        clearBehindEnd(places)
    }

    /// Adds all beginnings of scalars after the first place.
    private func fillUp(_ places: UnsafeMutablePointer<UInt64>) {
        var index = 0
        while index < words, places[index] == 0 { index += 1 }
        guard index < words else { return }
        // x | ~(x - 1): the lowest bit and all above it.
        places[index] |= ~(places[index] &- 1)
        for later in index + 1..<max(words, index + 1) { places[later] = .max }
        clearBehindEnd(places)
        if hasContinuations {
            let inside = set(Self.continuationSet)
            for index in 0..<words { places[index] &= ~inside[index] }
        }
    }

    private func clearBehindEnd(_ places: UnsafeMutablePointer<UInt64>) {
        let used = UInt64(length % 64)
        if used < 63 { places[words - 1] &= (1 << (used + 1)) - 1 }
    }

    /// Moves places inside a scalar to the end of the scalar. A scalar has at most three continuation bytes.
    private func leaveScalars(_ places: UnsafeMutablePointer<UInt64>) -> Bool {
        if hasContinuations {
            let inside = set(Self.continuationSet)
            for _ in 0..<3 {
                var carry: UInt64 = 0
                for index in 0..<words {
                    let moving = places[index] & inside[index]
                    places[index] = places[index] & ~inside[index] | moving << 1 | carry
                    carry = moving >> 63
                }
            }
        }
        return isAlive(places)
    }

    private func isAlive(_ places: UnsafeMutablePointer<UInt64>) -> Bool {
        var all: UInt64 = 0
        for index in 0..<words { all |= places[index] }
        return all != 0
    }

    /// Follows a variable. "Each occurrence is independent; alternatives are tried with backtracking" [INF]/[REP]. This
    /// function follows all values at the same time instead, with the same result.
    private mutating func follow(_ variable: Variable, _ budget: inout MatchBudget) -> Bool {
        let (places, result, value) = (set(Self.placesSet), set(Self.resultSet), set(Self.valueSet))
        clear(Self.resultSet)
        if variable.hasEmptyValue { unite(result, with: places) }
        for group in variable.groups {
            budget.spend(1)
            // Skips values that begin with a byte that is at none of the places. Most values do.
            let first = Int(setOfByte.start[Int(group.first)])
            guard first > 0, meets(places, set(first)) else { continue }
            for range in group.values {
                value.update(from: places, count: words)
                var isAlive = true
                for index in range {
                    budget.spend(words)
                    isAlive = follow(UInt32(variable.bytes[index]), in: Self.valueSet)
                    if !isAlive { break }
                }
                guard !budget.isExhausted else { return false }
                if isAlive { unite(result, with: value) }
            }
        }
        for code in variable.patternCodes {
            value.update(from: places, count: words)
            var isAlive = true
            for step in code {
                budget.spend(words)
                isAlive = follow(step, in: Self.valueSet)
                if !isAlive { break }
            }
            guard !budget.isExhausted else { return false }
            if isAlive { unite(result, with: value) }
        }
        places.update(from: result, count: words)
        return isAlive(places)
    }

    private func unite(_ left: UnsafeMutablePointer<UInt64>, with right: UnsafeMutablePointer<UInt64>) {
        for index in 0..<words { left[index] |= right[index] }
    }

    private func meets(_ left: UnsafeMutablePointer<UInt64>, _ right: UnsafeMutablePointer<UInt64>) -> Bool {
        var common: UInt64 = 0
        for index in 0..<words { common |= left[index] & right[index] }
        return common != 0
    }
}

/// The remaining work of an evaluation, in steps. A step handles one machine word.
///
/// A comparison costs at most pattern length × text length / 64 steps, so only a malicious file exhausts the budget.
/// Apple's systems are reported to give up on such patterns too ("too complex", [REP]).
struct MatchBudget {
    /// Allows some tens of milliseconds.
    static let perURL = 40_000_000

    private var remaining = MatchBudget.perURL

    var isExhausted: Bool { remaining <= 0 }

    var spent: Int { MatchBudget.perURL - remaining }

    mutating func spend(_ steps: Int) { remaining -= steps }
}
