/// A pattern with its variables resolved: plain texts, wildcards, and variables with their values. For explaining, and
/// for writing variables out; ``Pattern`` is the same made for speed.
struct ResolvedPattern {
    /// A stretch of the pattern.
    enum Piece {
        /// Plain text, folded if case does not count.
        case literal([UInt8])
        /// `?`, see ``PatternPiece/one``.
        case one
        /// `*`, see ``PatternPiece/run``.
        case run
        /// `$(name)`: one of the values.
        case variable(name: String, values: [Value])
    }

    /// What a variable may stand for.
    struct Value {
        /// As the file spells it.
        let text: String
        /// Taken apart: "values may hold `*` and `?`" [OBS].
        let pieces: [Piece]
    }

    private(set) var pieces: [Piece] = []
    private(set) var defect: PatternDefect?
    /// The open rules that the reading of the pattern may rest on.
    private(set) var openRules: Set<OpenRule> = []

    private let isFolded: Bool
    private let reading: PatternReading
    /// The plain text that is not among the pieces yet.
    private var literal: [UInt8] = []
    /// Whether a `$` stands there that begins no variable.
    private var hasBareDollar = false
    private var departuresLeft = Self.maximumDepartures

    /// So many times the reading of one pattern departs from a rule: behind each departure the text is read again.
    static let maximumDepartures = 256

    /// Resolves a pattern; a path's is normalised before.
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

    /// A variable that stands more than once and could have different values; of a single character it surely can.
    private var repeatedVariable: (name: String, values: [Value])? {
        var seen: [[UInt8]: Int] = [:]
        for case .variable(let name, let values) in pieces where !name.isEmpty && values.count > 1 {
            seen[Array(name.utf8), default: 0] += 1
            // Its values are looked at once, however often it stands in the pattern.
            guard seen[Array(name.utf8)] == 2, !values.allSatisfy({ $0.text.utf8.count == 1 }) else { continue }
            return (name, values)
        }
        return nil
    }

    /// Whether a text matches in a reading. "Each occurrence is independent" [INF]/[REP]; in the other reading a
    /// variable has one value throughout the pattern.
    func matches(_ text: [UInt8], _ reading: PatternReading, _ work: inout Int) -> Bool {
        guard reading.departure == .repeatedVariable, let (name, values) = repeatedVariable else {
            return match(text, in: reading, &work).matches
        }
        for value in values where work > 0 {
            // For the copy; what comparing costs comes on top.
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

    /// Takes the character that begins a piece for plain text, and reads on behind it.
    private mutating func addPlainly(_ start: Int, _ source: inout PatternPieces) {
        literal.append(source.text[start])
        source.index = start + 1
    }

    /// Adds plain text; where the reading departs, with what other matchers make of `[ab]` and `{a,b}`.
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

    /// What stands between brackets, one of its characters; or between braces, one of its texts.
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
