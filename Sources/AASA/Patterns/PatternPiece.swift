/// A piece of a pattern's text.
///
/// Only this file splits the text of `/`, `?` and `#` into pieces. ``Pattern`` (matching), ``ResolvedPattern``
/// (explanations) and ``PatternShape`` (lint) are all built from these pieces.
enum PatternPiece: Hashable {
    /// Literal bytes, at least one. The slice keeps its indices in the text.
    case literal(ArraySlice<UInt8>)
    /// `?`: "exactly one character", also a slash. A character is one Unicode scalar of the compared text [DOC]/[REP].
    case one
    /// `*`: "zero or more characters", also slashes. Several stars in a row count as one [DOC]/[OBS].
    case run
    /// A backslash and the character after it: "accepts any one character and skips the next pattern character" [REP].
    case backslash
    /// `$(name)`: one of the variable's values [DOC]. The name is a slice of the text.
    case variable(ArraySlice<UInt8>)
    /// `$(` without `)`, with the rest of the text.
    case unterminatedVariable
}

/// The reason why a pattern can never match.
enum PatternDefect {
    /// A variable that neither the file nor Apple defines. "Undefined name: the component never matches" [REP].
    case undefinedVariable(String)
    /// "Missing `)`: never matches" [REP].
    case unterminatedVariable
}

/// Splits a pattern into its pieces, in order. The pieces together cover the whole text.
struct PatternPieces: Sequence, IteratorProtocol {
    let text: [UInt8]
    /// The start of the next piece. To read a special character as literal text, set this to the index after it and
    /// continue.
    var index = 0

    private let knowsVariables: Bool

    /// - Parameters:
    ///   - text: The pattern. For comparison, a path pattern must be normalised.
    ///   - knowsVariables: Whether the system supports `$(…)`. Before iOS 13.5 it is literal text.
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

    /// Whether the byte begins a piece that is not literal text: "`$` without `(` is literal" [REP].
    private func isSpecial(_ index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\"): true
        case UInt8(ascii: "$"): knowsVariables && index + 1 < text.count && text[index + 1] == UInt8(ascii: "(")
        default: false
        }
    }

    /// Reads a variable, with the index after the `$`. "Names: any characters but `$ ( )`" [DOC].
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
