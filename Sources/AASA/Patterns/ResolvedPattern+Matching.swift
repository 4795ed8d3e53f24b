extension ResolvedPattern {
    /// The result of comparing a pattern with a text.
    struct Match {
        /// Whether the whole text matches.
        let matches: Bool
        /// The number of bytes at the beginning of the text that agree with the pattern.
        let reached: Int
        /// The first piece that does not match, or `nil` if all pieces match.
        let failing: Int?
        /// The values of the variables, in order. Empty if the text does not match.
        let variables: [(name: String, value: String)]
    }

    /// Compares the pattern with a text: "anchored on both ends" [OBS].
    ///
    /// - Parameters:
    ///   - text: Valid UTF-8.
    ///   - reading: The reading that decides how wildcards and variables match.
    ///   - findsVariables: Whether to find the values of the variables.
    ///   - work: The remaining work in steps. If it is exhausted, the text does not match.
    func match(
        _ text: [UInt8], in reading: PatternReading = .followed, findsVariables: Bool = false, _ work: inout Int
    ) -> Match {
        guard defect == nil else { return Match(matches: false, reached: 0, failing: nil, variables: []) }
        // Usually the first literal already differs, and then there is no need to compute places.
        if !findsVariables, case .literal(let literal)? = pieces.first, !text.starts(with: literal) {
            work -= 1
            let agreement = zip(literal, text).prefix { $0 == $1 }.count
            return Match(matches: false, reached: agreement, failing: 0, variables: [])
        }
        let walker = Walker(text: text, departure: reading.departure)
        var places = Places(places: [0])
        var reached = 0
        var history: [Places] = []
        let hasVariables = pieces.contains { if case .variable = $0 { true } else { false } }
        // Finding the values needs the places of all pieces. For very long texts this takes too much memory.
        let findsVariables = findsVariables && hasVariables && pieces.count * text.count < 1 << 18
        for (index, piece) in pieces.enumerated() {
            if findsVariables { history.append(places) }
            let next = walker.advance(places, over: piece, &work)
            guard !next.isEmpty, work > 0 else {
                return Match(
                    matches: false, reached: max(reached, walker.agreement(places, piece)), failing: index,
                    variables: [])
            }
            places = next
            reached = max(reached, places.places.last ?? 0)
        }
        let matches = places.contains(text.count)
        let variables = matches && findsVariables ? walker.variables(pieces, history, &work) : []
        return Match(matches: matches, reached: reached, failing: nil, variables: variables)
    }
}

/// The places in a text that the pieces so far can reach: single places, and all places from `from` on.
struct Places {
    /// The single places in ascending order, all below `from`.
    var places: [Int] = []
    var from: Int?

    var isEmpty: Bool { places.isEmpty && from == nil }
    var first: Int? { places.first ?? from }

    func contains(_ place: Int) -> Bool {
        if let from, place >= from { return true }
        return places.contains(place)
    }
}

/// Walks through a text piece by piece, following all possible matches at the same time.
private struct Walker {
    let text: [UInt8]
    let departure: OpenRule?

    /// Whether `?` matches a slash: "any, `/` too" [INF].
    private var oneMatchesSlash: Bool { departure != .oneMatchesSlash }

    func advance(_ places: Places, over piece: ResolvedPattern.Piece, _ work: inout Int) -> Places {
        work -= places.places.count + 1
        switch piece {
        case .literal(let literal):
            return Places(places: ends(of: literal, from: places, &work))
        case .one:
            if oneMatchesSlash, places.places.isEmpty, let from = places.from, from < text.count {
                return Places(from: next(from))
            }
            return Places(
                places: starts(places).filter { place in
                    work -= 1
                    return place < text.count && (oneMatchesSlash || text[place] != UInt8(ascii: "/"))
                }.map(next))
        case .run:
            return Places(from: places.first)
        case .variable(_, let values):
            return advance(places, over: values, &work)
        }
    }

    /// Advances over a variable. "Each occurrence is independent; alternatives are tried with backtracking"
    /// [INF]/[REP]. This function follows all values at the same time instead, with the same result.
    private func advance(_ places: Places, over values: [ResolvedPattern.Value], _ work: inout Int) -> Places {
        var ends: Set<Int> = []
        var from: Int?
        if departure == .firstFittingValue { return advance(places, overFirstOf: values, &work) }
        for value in values where work > 0 {
            work -= 1
            let result = advance(places, over: value.pieces, &work)
            ends.formUnion(result.places)
            if let start = result.from { from = min(from ?? start, start) }
        }
        return Places(places: ends.filter { $0 < from ?? .max }.sorted(), from: from)
    }

    /// Same as ``advance(_:over:_:)``, but stops as soon as one value matches.
    private func advance(
        _ places: Places, overFirstOf values: [ResolvedPattern.Value], _ work: inout Int
    ) -> Places {
        var ends: Set<Int> = []
        var from: Int?
        for start in starts(places) {
            for value in values where work > 0 {
                work -= 1
                let result = advance(Places(places: [start]), over: value.pieces, &work)
                if result.isEmpty { continue }
                ends.formUnion(result.places)
                if let start = result.from { from = min(from ?? start, start) }
                break
            }
        }
        return Places(places: ends.filter { $0 < from ?? .max }.sorted(), from: from)
    }

    func advance(_ places: Places, over pieces: [ResolvedPattern.Piece], _ work: inout Int) -> Places {
        var places = places
        for piece in pieces where !places.isEmpty { places = advance(places, over: piece, &work) }
        return places
    }

    /// The number of bytes that agree with the pattern if a piece does not match. The matching beginning of a literal
    /// counts.
    func agreement(_ places: Places, _ piece: ResolvedPattern.Piece) -> Int {
        guard case .literal(let literal) = piece, places.from == nil else { return places.first ?? 0 }
        let ends = places.places.map { place in place + zip(literal, text[place...]).prefix { $0 == $1 }.count }
        return ends.max() ?? 0
    }

    /// The values of the variables in one of the possible matches. The search goes backwards from the end of the text,
    /// and prefers the nearest start of each value.
    func variables(
        _ pieces: [ResolvedPattern.Piece], _ history: [Places], _ work: inout Int
    ) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var end = text.count
        for (piece, before) in zip(pieces, history).reversed() where work > 0 {
            let candidates = starts(before).prefix { $0 <= end }
            switch piece {
            case .literal(let literal): end -= literal.count
            case .one, .run:
                end = candidates.last { advance(Places(places: [$0]), over: piece, &work).contains(end) } ?? end
            case .variable(let name, let values):
                guard let use = use(of: values, from: candidates, to: end, &work) else { continue }
                found.append((name, use.value))
                end = use.start
            }
        }
        return found.reversed()
    }

    /// The value that ends at `end`, and the place where it begins.
    private func use(
        of values: [ResolvedPattern.Value], from candidates: ArraySlice<Int>, to end: Int, _ work: inout Int
    ) -> (start: Int, value: String)? {
        for start in candidates.reversed() where work > 0 {
            for value in values where advance(Places(places: [start]), over: value.pieces, &work).contains(end) {
                return (start, value.text)
            }
        }
        return nil
    }

    /// The places as a list, without places inside a scalar.
    private func starts(_ places: Places) -> [Int] {
        guard let from = places.from else { return places.places }
        return places.places + (from...text.count).filter { $0 == text.count || isStart($0) }
    }

    /// The ends of all occurrences of a literal that begin at one of the places.
    private func ends(of literal: [UInt8], from places: Places, _ work: inout Int) -> [Int] {
        var ends = places.places.filter { stands(literal, at: $0, &work) }.map { $0 + literal.count }
        guard let from = places.from, let first = literal.first, text.count - from >= literal.count else {
            if let from = places.from, literal.isEmpty { ends += starts(Places(from: from)) }
            return ends
        }
        work -= text.count - from
        // A literal consists of whole scalars, so it cannot begin inside a scalar.
        for place in from...(text.count - literal.count) where text[place] == first {
            if stands(literal, at: place, &work) { ends.append(place + literal.count) }
        }
        return ends
    }

    private func stands(_ literal: [UInt8], at place: Int, _ work: inout Int) -> Bool {
        work -= 1
        guard text.count - place >= literal.count else { return false }
        for (offset, byte) in literal.enumerated() where text[place + offset] != byte {
            work -= offset
            return false
        }
        work -= literal.count
        return true
    }

    /// The end of the scalar that begins at `place`.
    private func next(_ place: Int) -> Int {
        var next = place + 1
        while next < text.count, !isStart(next) { next += 1 }
        return next
    }

    /// Whether a character begins at a place. In the usual reading, a character is "one Unicode scalar" [REP]; in the
    /// alternative reading, it is one byte.
    private func isStart(_ place: Int) -> Bool { text[place] & 0xC0 != 0x80 || departure == .oneIsScalar }
}
