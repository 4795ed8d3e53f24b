/// A piece of a pattern's text.
///
/// The text of `/`, `?` and `#` is taken apart here and nowhere else. Whoever compares, explains or judges patterns
/// makes what it needs out of the pieces: ``Pattern``, ``ResolvedPattern``, ``PatternShape``.
enum PatternPiece: Hashable {
    /// These very bytes, one at least: a slice of the text, whose indices are its place there.
    case literal(ArraySlice<UInt8>)
    /// `?`: "exactly one character", a slash too: one Unicode scalar of the compared text [DOC]/[REP].
    case one
    /// `*`: "zero or more characters", slashes too; runs collapse [DOC]/[OBS].
    case run
    /// A backslash and the character behind it: "accepts any one character and skips the next pattern character" [REP].
    case backslash
    /// `$(name)`: one of the variable's values [DOC]. The name is a slice of the text.
    case variable(ArraySlice<UInt8>)
    /// `$(` without `)`, and all that follows.
    case unterminatedVariable
}

/// Why a pattern can never match.
enum PatternDefect {
    /// "Undefined name: the component never matches" [REP]: one that neither the file nor Apple defines.
    case undefinedVariable(String)
    /// "Missing `)`: never matches" [REP].
    case unterminatedVariable
}

/// The pieces of a pattern, in order, read one by one; together they are the whole text.
struct PatternPieces: Sequence, IteratorProtocol {
    let text: [UInt8]
    /// Where the next piece begins. Whoever takes a character for plain text sets this behind it and reads on.
    var index = 0

    private let knowsVariables: Bool

    /// - Parameters:
    ///   - text: The pattern; normalised if it is a path's and is to be compared.
    ///   - knowsVariables: Whether the system reads `$(…)`; before iOS 13.5 it is literal text.
    init(of text: [UInt8], knowsVariables: Bool) {
        self.text = text
        self.knowsVariables = knowsVariables
    }

    mutating func next() -> PatternPiece? {
        let start = index
        guard start < text.count else { return nil }
        guard isSpecial(start) else {
            repeat { index += 1 } while index < text.count && !isSpecial(index)
            return .literal(text[start..<index])
        }
        index += 1
        switch text[start] {
        case UInt8(ascii: "*"):
            while index < text.count, text[index] == UInt8(ascii: "*") { index += 1 }
            return .run
        case UInt8(ascii: "?"): return .one
        case UInt8(ascii: "\\"):
            skipScalar()
            return .backslash
        default: return variable()
        }
    }

    /// Whether the byte begins anything but literal text: "`$` without `(` is literal" [REP].
    private func isSpecial(_ index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\"): true
        case UInt8(ascii: "$"): knowsVariables && index + 1 < text.count && text[index + 1] == UInt8(ascii: "(")
        default: false
        }
    }

    /// "Names: any characters but `$ ( )`" [DOC]; the index is behind the `$`.
    private mutating func variable() -> PatternPiece {
        let start = index + 1
        guard let end = text[start...].firstIndex(of: UInt8(ascii: ")")) else {
            index = text.count
            return .unterminatedVariable
        }
        index = end + 1
        return .variable(text[start..<end])
    }

    private mutating func skipScalar() {
        guard index < text.count else { return }
        repeat { index += 1 } while index < text.count && text[index] & 0xC0 == 0x80
    }
}
