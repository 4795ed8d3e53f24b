/// A character that is not allowed in display text, because it could control a terminal, break a log line, or change
/// the order of the displayed text.
///
/// These are Unicode's control characters (general category Cc), line and paragraph separators (Zl, Zp), and all
/// characters with the property Bidi_Control (UAX #9, section 2).
public struct ControlCharacter: Error, Hashable, Sendable, JSONFaultReason {
    /// The character.
    public let scalar: Unicode.Scalar
    /// Its position in the text in characters (Unicode scalars), from 1.
    public let position: Int

    /// Finds the first control character in a text, except the allowed ones, or returns `nil`.
    public init?(in text: String, besides allowed: [Unicode.Scalar] = []) {
        let found = text.unicodeScalars.enumerated().first { Self.isControl($1) && !allowed.contains($1) }
        guard let found else { return nil }
        (position, scalar) = (found.offset + 1, found.element)
    }

    /// `control_character`.
    public var code: String { "control_character" }

    /// The error message: a predicate.
    public var detail: String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "contains the control character \(name) (character \(position)); remove it"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension JSONShape where Value == String {
    /// A string of `min` to `max` Unicode scalars without any ``ControlCharacter`` except the allowed ones.
    public static func plainText(
        min: Int = 0, max: Int, besides allowed: [Unicode.Scalar] = []
    ) -> JSONShape<String> {
        .text(min: min, max: max).then { (text: String) throws(ControlCharacter) in
            if let control = ControlCharacter(in: text, besides: allowed) { throw control }
            return text
        }
    }
}
