/// An error in a JSON text, with its position.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable error code for programs.
    public enum Code: String, Sendable, CaseIterable {
        /// Only white space.
        case empty
        /// A byte sequence that is not valid UTF-8.
        case notUTF8 = "not_utf8"
        /// A UTF-8 byte order mark, if the options do not allow it.
        case byteOrderMark = "byte_order_mark"
        /// A character that is not allowed here.
        case unexpectedCharacter = "unexpected_character"
        /// The text ends inside a value.
        case unexpectedEnd = "unexpected_end"
        /// Text after the value.
        case trailingContent = "trailing_content"
        /// A number outside RFC 8259's grammar.
        case invalidNumber = "invalid_number"
        /// A backslash that does not begin a valid escape.
        case invalidEscape = "invalid_escape"
        /// Half of a surrogate pair.
        case loneSurrogate = "lone_surrogate"
        /// A raw control character inside a string.
        case controlCharacter = "control_character"
        /// U+0000, if the options do not allow it.
        case nulCharacter = "nul_character"
        /// A name that appears twice in one object, if the options do not allow this.
        case duplicateKey = "duplicate_key"
        /// More bytes than the limit.
        case tooLarge = "too_large"
        /// Nesting deeper than the limit.
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

    /// The kind of error.
    public let code: Code
    /// The error message: a clause without the position.
    public let message: String
    /// The position.
    public let position: JSONPosition

    /// `line:column: message`.
    public var description: String { "\(position): \(message)" }
}
