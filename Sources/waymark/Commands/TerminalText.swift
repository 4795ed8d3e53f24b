import Glibc
import StrictJSON

/// Text for people at a terminal. What comes from files is shown, never obeyed: a character that would steer the
/// terminal or cannot be seen is written as `U+001B`.
struct TerminalText {
    /// ECMA-48, select graphic rendition.
    enum Color: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    /// What is written: safe for any terminal, in one line.
    let written: String

    /// One line, or a part of one; a line break in it is shown as `U+000A`.
    init(_ text: String, _ color: Color? = nil) {
        let shown = Self.shown(text)
        guard let color, Console.showsColors else {
            written = shown
            return
        }
        written = "\u{1B}[\(color.rawValue)m\(shown)\u{1B}[0m"
    }

    private init(written: String) { self.written = written }

    /// Both, one behind the other.
    static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        TerminalText(written: left.written + right.written)
    }

    /// JSON, in which such a character is written as `\u001b`: the same JSON, since they stand in its strings only.
    init(_ json: JSONValue, _ style: JSONStyle = .pretty) {
        let text = String(decoding: json.bytes(style), as: UTF8.self)
        written = Self.replacing(text) { scalar in
            if scalar == "\n" { return nil }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    /// The text as it can be shown.
    static func shown(_ text: String) -> String {
        replacing(text) { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        guard text.unicodeScalars.contains(where: isUnseen) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            result += (isUnseen(scalar) ? replacement(scalar) : nil) ?? String(scalar)
        }
    }

    /// Controls, marks of direction and of joining, separators other than the space, and what has no meaning yet.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse,
            .surrogate:
            return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension TerminalText {
    /// Each line of a text that is made here; what comes from files has to be ``shown(_:)`` before it gets into one.
    static func lines(_ text: String) -> [TerminalText] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText(String($0)) }
    }
}

extension JSONValue {
    /// A text that somebody wrote, in one line.
    var line: String? { string?.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
