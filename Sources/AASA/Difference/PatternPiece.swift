/// A part of a pattern as it is written, with the names of variables kept: for comparing patterns and for making texts
/// that they match.
enum PatternPiece: Hashable {
    /// These very bytes.
    case literal([UInt8])
    /// `?`: "exactly one character" [DOC].
    case one
    /// `*`: "zero or more characters"; runs collapse [DOC]/[OBS].
    case run
    /// `$(name)`: one of the variable's values [DOC].
    case variable([UInt8])
    /// `$(` without `)`: the pattern never matches [REP].
    case unterminatedVariable

    /// Takes a pattern apart.
    ///
    /// - Parameters:
    ///   - text: The pattern; normalised if it is a path's and is to be compared.
    ///   - knowsVariables: Whether the system reads `$(…)`; before iOS 13.5 it is literal text.
    static func pieces(of text: some Sequence<UInt8>, knowsVariables: Bool) -> [PatternPiece] {
        var cutter = PatternCutter(text: Array(text), knowsVariables: knowsVariables)
        cutter.cut()
        return cutter.pieces
    }

    /// The pattern written in the one way that all patterns of its meaning share: runs collapsed, and letters folded
    /// where their case does not count. Names of variables stay as they are.
    static func canonicalText(_ pieces: [PatternPiece], isFolded: Bool) -> [UInt8] {
        pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .literal(let bytes): isFolded ? CaseFolding.folded(bytes) : bytes
            case .one: Array("?".utf8)
            case .run: Array("*".utf8)
            case .variable(let name): Array("$(".utf8) + name + Array(")".utf8)
            case .unterminatedVariable: Array("$(".utf8)
            }
        }
    }
}

private struct PatternCutter {
    let text: [UInt8]
    let knowsVariables: Bool

    var pieces: [PatternPiece] = []

    private var literal: [UInt8] = []
    private var index = 0

    init(text: [UInt8], knowsVariables: Bool) {
        self.text = text
        self.knowsVariables = knowsVariables
    }

    mutating func cut() {
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "*"): if pieces.last != .run || !literal.isEmpty { append(.run) }
            case UInt8(ascii: "?"): append(.one)
            // "Backslash: accepts any one character and skips the next pattern character" [REP].
            case UInt8(ascii: "\\"):
                append(.one)
                skipScalar()
            // "`$` without `(` is literal" [REP].
            case UInt8(ascii: "$") where knowsVariables && index < text.count && text[index] == UInt8(ascii: "("):
                index += 1
                appendVariable()
            default: literal.append(byte)
            }
        }
        endLiteral()
    }

    /// "Names: any characters but `$ ( )`" [DOC]; the index is behind `$(`.
    private mutating func appendVariable() {
        guard let end = text[index...].firstIndex(of: UInt8(ascii: ")")) else {
            append(.unterminatedVariable)
            index = text.count
            return
        }
        append(.variable(Array(text[index..<end])))
        index = end + 1
    }

    private mutating func append(_ piece: PatternPiece) {
        endLiteral()
        pieces.append(piece)
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal.removeAll()
    }

    private mutating func skipScalar() {
        guard index < text.count else { return }
        repeat { index += 1 } while index < text.count && text[index] & 0xC0 == 0x80
    }
}
