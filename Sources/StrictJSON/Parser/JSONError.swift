/// Why a text is not acceptable JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; stable, for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// Nothing but white space.
        case empty
        /// A byte sequence that UTF-8 does not allow.
        case notUTF8 = "not_utf8"
        /// A UTF-8 byte order mark where the options do not tolerate it.
        case byteOrderMark = "byte_order_mark"
        /// A byte that cannot stand here.
        case unexpectedCharacter = "unexpected_character"
        /// The text ends inside a value.
        case unexpectedEnd = "unexpected_end"
        /// Something after the value.
        case trailingContent = "trailing_content"
        /// A number outside RFC 8259's grammar.
        case invalidNumber = "invalid_number"
        /// A backslash before something that is no escape.
        case invalidEscape = "invalid_escape"
        /// Half of a surrogate pair.
        case loneSurrogate = "lone_surrogate"
        /// A raw control character inside a string.
        case controlCharacter = "control_character"
        /// U+0000 where the options do not accept it.
        case nulCharacter = "nul_character"
        /// A name twice in one object where the options do not tolerate it.
        case duplicateKey = "duplicate_key"
        /// More bytes than the limit.
        case tooLarge = "too_large"
        /// Deeper than the limit.
        case tooDeep = "too_deep"
        /// A number longer than the limit.
        case numberTooLong = "number_too_long"
        /// A string longer than the limit.
        case stringTooLong = "string_too_long"
        /// More combining marks in a row than the limit.
        case tooManyMarks = "too_many_marks"
        /// More values than the limit.
        case tooManyValues = "too_many_values"
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong, in words, without the place.
    public let message: String
    /// Where.
    public let position: JSONPosition

    /// `line:column: message`.
    public var description: String { "\(position): \(message)" }
}
