/// A pattern taken apart for explaining: plain texts, wildcards and variables, each with what it stands for.
///
/// ``Pattern`` is the same made for speed. Both read the same grammar, and a test holds them together.
struct PatternPieces {
    /// A stretch of the pattern.
    enum Piece {
        /// Plain text, folded if case does not count.
        case literal([UInt8])
        /// `?` "exactly one character" [DOC].
        case one
        /// `*` "zero or more characters; runs collapse" [DOC]/[OBS].
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

    /// Why the pattern can never match.
    enum Defect {
        /// `$(name)` with a name that neither the file nor Apple defines.
        case undefinedVariable(String)
        /// `$(` without `)`.
        case unterminatedVariable
    }

    private(set) var pieces: [Piece] = []
    private(set) var defect: Defect?
    /// The open rules that the reading of the pattern may rest on.
    private(set) var openRules: Set<OpenRule> = []

    private let isFolded: Bool
    private let reading: PatternReading
    private var literal: [UInt8] = []

    /// Takes a pattern apart; a path's is normalised before.
    init(_ text: [UInt8], isFolded: Bool, reading: PatternReading) {
        self.isFolded = isFolded
        self.reading = reading
        var rest = text[...]
        while let byte = rest.popFirst() { read(byte, &rest) }
        endLiteral()
        let wildcards = pieces.count { if case .literal = $0 { false } else { true } }
        if wildcards > 64, reading.departs(from: .manyWildcards, &openRules) { pieces = [.literal([0])] }
    }

    private mutating func read(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) {
        switch byte {
        case UInt8(ascii: "*"):
            endLiteral()
            if case .run? = pieces.last { return }
            pieces.append(.run)
        case UInt8(ascii: "?"):
            endLiteral()
            openRules.insert(.oneMatchesSlash)
            pieces.append(.one)
        case UInt8(ascii: "\\") where !reading.departs(from: .backslash, &openRules):
            // "Backslash: accepts any one character and skips the next pattern character" [REP].
            endLiteral()
            pieces.append(.one)
            _ = rest.popFirst()
            while let next = rest.first, next & 0xC0 == 0x80 { rest.removeFirst() }
        // "`$` without `(` is literal" [REP].
        case UInt8(ascii: "$") where reading.variables != nil && rest.first == UInt8(ascii: "("):
            readVariable(&rest)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard reading.departs(from: .brackets, &openRules), readGroup(byte, &rest) else { fallthrough }
        default:
            literal.append(byte)
        }
    }

    /// "Names: case-sensitive, any characters but `$ ( )`" [DOC]; `rest` begins with the parenthesis.
    private mutating func readVariable(_ rest: inout ArraySlice<UInt8>) {
        guard let end = rest.firstIndex(of: UInt8(ascii: ")")) else {
            // "Missing `)`: never matches" [REP].
            if reading.departs(from: .undefinedVariable, &openRules) { return literal.append(UInt8(ascii: "$")) }
            endLiteral()
            defect = defect ?? .unterminatedVariable
            rest = []
            return
        }
        let name = String(decoding: rest[rest.startIndex..<end].dropFirst(), as: UTF8.self)
        guard let found = reading.variables?.values(of: name, isFolded: isFolded, reading, &openRules) else {
            // "Undefined name: the component never matches" [REP].
            if reading.departs(from: .undefinedVariable, &openRules) { return literal.append(UInt8(ascii: "$")) }
            defect = defect ?? .undefinedVariable(name)
            rest = rest[(end + 1)...]
            return
        }
        endLiteral()
        pieces.append(.variable(name: name, values: found))
        rest = rest[(end + 1)...]
    }

    /// What other matchers make of `[ab]` and `{a,b}`; tells whether there was such a group.
    private mutating func readGroup(_ opening: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        let isSet = opening == UInt8(ascii: "[")
        guard let end = rest.firstIndex(of: UInt8(ascii: isSet ? "]" : "}")) else { return false }
        let inside = rest[rest.startIndex..<end]
        let values = isSet ? inside.map { [$0] } : inside.split(separator: UInt8(ascii: ",")).map { Array($0) }
        endLiteral()
        pieces.append(
            .variable(
                name: "",
                values: values.map { Value(text: String(decoding: $0, as: UTF8.self), pieces: [.literal($0)]) })
        )
        rest = rest[(end + 1)...]
        return true
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        pieces.append(.literal(isFolded ? reading.folded(literal, &openRules) : literal))
        literal.removeAll()
    }
}

/// How patterns are read: what variables stand for, and from which open rule the reading departs, if any.
struct PatternReading {
    /// The open rule whose other reading is tried; nil for the reading that is followed here.
    let departure: OpenRule?
    /// What `$(…)` stands for; nil where the system does not know variables: then it is plain text.
    let variables: VariableReading?

    /// Notes that the reading comes upon an open rule, and tells whether it departs from it.
    func departs(from rule: OpenRule, _ met: inout Set<OpenRule>) -> Bool {
        met.insert(rule)
        return departure == rule
    }

    /// The text with its letters folded.
    func folded(_ bytes: [UInt8], _ met: inout Set<OpenRule>) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return CaseFolding.folded(bytes) }
        if departs(from: .asciiCaseOnly, &met) {
            return bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
        }
        if departs(from: .fullCaseFolding, &met) {
            return Array(String(decoding: bytes, as: UTF8.self).uppercased().lowercased().utf8)
        }
        return CaseFolding.folded(bytes)
    }
}
