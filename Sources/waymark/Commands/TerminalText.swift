import Glibc
import StrictJSON

/// Text that is safe to print on a terminal. Control characters and invisible characters are replaced with their code
/// points, such as `U+001B`, so that text from files cannot control the terminal.
struct TerminalText {
    /// The color codes of ECMA-48 (select graphic rendition).
    enum Color: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    /// The text to print, in one line.
    let written: String

    /// Creates a line or a part of one. A line break in the text is shown as `U+000A`.
    init(_ text: String, _ color: Color? = nil) {
        let shown = Self.shown(text)
        guard let color, Console.showsColors else {
            written = shown
            return
        }
        written = "\u{1B}[\(color.rawValue)m\(shown)\u{1B}[0m"
    }

    private init(written: String) { self.written = written }

    /// Joins two texts.
    static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        TerminalText(written: left.written + right.written)
    }

    /// Creates text from JSON. Control and invisible characters are escaped, for example as `\u001b`. They occur only
    /// inside strings, so the JSON has the same meaning.
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

    /// The text with control and invisible characters replaced.
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

    /// True for a control character, a format character (such as a direction mark or a joiner), an unassigned
    /// character, and every separator except the space.
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
    /// Splits a text from this program into lines. Pass text from files through ``shown(_:)`` first. Otherwise each
    /// line break in it starts a new line.
    static func lines(_ text: String) -> [TerminalText] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText(String($0)) }
    }
}

extension JSONValue {
    /// The string without line breaks.
    var line: String? { string?.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
