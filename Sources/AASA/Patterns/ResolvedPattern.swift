/// A pattern in which each variable has its possible values. Explanations use it, and `LegacyPaths` uses it to replace
/// variables with their values. ``Pattern`` is the faster form for matching.
struct ResolvedPattern: Sendable {
    /// A piece of the pattern.
    enum Piece: Sendable {
        /// Literal text. It is folded if the pattern ignores letter case.
        case literal([UInt8])
        /// `?`, see ``PatternPiece/one``.
        case one
        /// `*`, see ``PatternPiece/run``.
        case run
        /// `$(name)`, with its possible values.
        case variable(name: String, values: [Value])
    }

    /// A value of a variable.
    struct Value: Sendable {
        /// The value as written in the file.
        let text: String
        /// The value, split into pieces, because "values may hold `*` and `?`" [OBS].
        let pieces: [Piece]
    }

    private(set) var pieces: [Piece] = []
    private(set) var defect: PatternDefect?
    /// The open rules that can affect how the pattern matches. See ``OpenRule``.
    private(set) var openRules: Set<OpenRule> = []

    private let isFolded: Bool
    private let reading: PatternReading
    /// Literal text that is not yet part of a piece.
    private var literal: [UInt8] = []
    /// Whether the pattern has a `$` that does not begin a variable.
    private var hasBareDollar = false
    private var departuresLeft = Self.maximumDepartures

    /// The maximum number of places in a pattern that get the alternative reading. This limits the work, because the
    /// text after each such place is split into pieces again.
    static let maximumDepartures = 256

    /// Splits a pattern into pieces and looks up its variables. A path pattern must be normalised.
    init(_ text: [UInt8], isFolded: Bool, reading: PatternReading) {
        self.isFolded = isFolded
        self.reading = reading
        var source = PatternPieces(of: text, knowsVariables: reading.variables != nil)
        var start = 0
        while let piece = source.next() {
            add(piece, from: start, &source)
            start = source.index
        }
        endLiteral()
        let wildcards = pieces.count { if case .literal = $0 { false } else { true } }
        if repeatedVariable != nil { openRules.insert(.repeatedVariable) }
        if hasBareDollar, reading.departs(from: .bareDollar, &openRules) { pieces = [.literal([0])] }
        if wildcards > 64, reading.departs(from: .manyWildcards, &openRules) { pieces = [.literal([0])] }
    }

    /// The first variable that occurs more than once and has several values, not all of one byte. It is uncertain
    /// whether all its occurrences must have the same value (``OpenRule/repeatedVariable``).
    private var repeatedVariable: (name: String, values: [Value])? {
        var seen: [[UInt8]: Int] = [:]
        for case .variable(let name, let values) in pieces where !name.isEmpty && values.count > 1 {
            seen[Array(name.utf8), default: 0] += 1
            // Checks the values only at the second occurrence: once, however often the variable occurs.
            guard seen[Array(name.utf8)] == 2, !values.allSatisfy({ $0.text.utf8.count == 1 }) else { continue }
            return (name, values)
        }
        return nil
    }

    /// Whether the whole text matches. In the usual reading, "each occurrence is independent" [INF]/[REP]: a variable
    /// can have a different value at each occurrence. In the alternative reading, it has the same value everywhere.
    func matches(_ text: [UInt8], _ reading: PatternReading, _ work: inout Int) -> Bool {
        guard reading.departure == .repeatedVariable, let (name, values) = repeatedVariable else {
            return match(text, in: reading, &work).matches
        }
        for value in values where work > 0 {
            // The cost of copying the pattern. The comparison adds its own cost.
            work -= pieces.count
            var pattern = self
            pattern.pieces = pieces.map { piece in
                guard case .variable(name, _) = piece else { return piece }
                return .variable(name: name, values: [value])
            }
            if pattern.matches(text, reading, &work) { return true }
        }
        return false
    }

    private mutating func add(_ piece: PatternPiece, from start: Int, _ source: inout PatternPieces) {
        switch piece {
        case .literal(let bytes):
            if reading.variables != nil, bytes.contains(UInt8(ascii: "$")) { hasBareDollar = true }
            addText(bytes, &source)
        case .one:
            openRules.insert(.oneMatchesSlash)
            append(.one)
        case .run: append(.run)
        case .backslash:
            if departs(from: .backslash) { return addPlainly(start, &source) }
            append(.one)
        case .variable(let slice):
            let name = String(decoding: slice, as: UTF8.self)
            if let values = reading.variables?.values(of: name, isFolded: isFolded, reading, &openRules) {
                return append(.variable(name: name, values: values))
            }
            if departs(from: .undefinedVariable) { return addPlainly(start, &source) }
            defect = defect ?? .undefinedVariable(name)
        case .unterminatedVariable:
            if departs(from: .undefinedVariable) { return addPlainly(start, &source) }
            defect = defect ?? .unterminatedVariable
        }
    }

    private mutating func departs(from rule: OpenRule) -> Bool {
        guard reading.departs(from: rule, &openRules), departuresLeft > 0 else { return false }
        departuresLeft -= 1
        return true
    }

    /// Adds a special character as literal text. The next piece starts at the character after it.
    private mutating func addPlainly(_ start: Int, _ source: inout PatternPieces) {
        literal.append(source.text[start])
        source.index = start + 1
    }

    /// Adds literal text. In the alternative reading, `[ab]` matches `a` or `b`, and `{a,b}` matches one of the texts,
    /// as in other pattern languages.
    private mutating func addText(_ bytes: ArraySlice<UInt8>, _ source: inout PatternPieces) {
        var rest = bytes
        while let opening = rest.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }),
            departs(from: .brackets)
        {
            literal += rest[..<opening]
            rest = rest[opening...].dropFirst()
            let isSet = bytes[opening] == UInt8(ascii: "[")
            let closing = UInt8(ascii: isSet ? "]" : "}")
            guard let end = source.text[rest.startIndex...].firstIndex(of: closing) else {
                literal.append(bytes[opening])
                continue
            }
            append(Self.group(source.text[rest.startIndex..<end], isSet: isSet))
            guard end < bytes.endIndex else {
                source.index = end + 1
                return
            }
            rest = bytes[(end + 1)...]
        }
        literal += rest
    }

    /// The piece for a pair of brackets. It matches one of the characters in `[…]`, or one of the texts in `{…}`.
    private static func group(_ inside: ArraySlice<UInt8>, isSet: Bool) -> Piece {
        let values = isSet ? inside.map { [$0] } : inside.split(separator: UInt8(ascii: ",")).map { Array($0) }
        return .variable(
            name: "", values: values.map { Value(text: String(decoding: $0, as: UTF8.self), pieces: [.literal($0)]) })
    }

    private mutating func append(_ piece: Piece) {
        endLiteral()
        pieces.append(piece)
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        pieces.append(.literal(isFolded ? reading.folded(literal, &openRules) : literal))
        literal.removeAll()
    }
}
