/// A character that is no part of a text for people: it would steer a terminal, break a line of a log, or make the text
/// read otherwise than it is written.
///
/// These are the controls of Unicode (general category Cc), the separators of lines and paragraphs (Zl, Zp), and all
/// that have the property Bidi_Control (UAX #9, section 2).
public struct ControlCharacter: Error, Hashable, Sendable, JSONFaultReason {
    /// The character.
    public let scalar: Unicode.Scalar
    /// Which character of the text it is, from 1.
    public let position: Int

    /// The first one in a text, besides those that are allowed there; nil if there is none.
    public init?(in text: String, besides allowed: [Unicode.Scalar] = []) {
        let found = text.unicodeScalars.enumerated().first { Self.isControl($1) && !allowed.contains($1) }
        guard let found else { return nil }
        (position, scalar) = (found.offset + 1, found.element)
    }

    /// `control_character`.
    public var code: String { "control_character" }

    /// What is wrong, and what to do.
    public var detail: String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "has the control character \(name) as character \(position); leave it out"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension JSONShape where Value == String {
    /// A string of `min` to `max` Unicode scalars without a ``ControlCharacter``, besides those that are allowed.
    public static func plainText(
        min: Int = 0, max: Int, besides allowed: [Unicode.Scalar] = []
    ) -> JSONShape<String> {
        .text(min: min, max: max).then { (text: String) throws(ControlCharacter) in
            if let control = ControlCharacter(in: text, besides: allowed) { throw control }
            return text
        }
    }
}
