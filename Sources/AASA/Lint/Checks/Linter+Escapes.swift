import StrictJSON

/// Percent signs: "true (default) compares the pattern with the component as written: `%c3%a9` differs from `%C3%A9`"
/// [OBS].
extension Linter {
    func lintEscapes(_ text: String, _ pointer: JSONPointer, fix: (_ text: String, _ title: String) -> Fix?) {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) else { return }
        if bytes.indices.contains(where: { Escape.isBroken(bytes, $0) }) {
            add(.brokenEscape, pointer, fix: fix(Escape.mended(bytes), "Write %25"))
            return
        }
        let escapes = bytes.indices.lazy.compactMap { Escape(bytes, $0) }
        if let escape = escapes.first(where: { !$0.isUsual }) {
            add(
                .unusualEscape(escape.text, usual: escape.usual), pointer,
                fix: fix(Escape.usual(bytes), "Write it as URL parsers do"))
        }
    }
}

/// A `%` and two hexadecimal digits in a pattern (RFC 3986, section 2.1).
struct Escape {
    /// The escape as written.
    let text: String
    private let value: UInt8

    /// Returns `nil` if no escape begins at the index.
    init?(_ bytes: [UInt8], _ index: Int) {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = Self.digit(bytes[index + 1]),
            let low = Self.digit(bytes[index + 2])
        else { return nil }
        text = String(decoding: bytes[index...(index + 2)], as: UTF8.self)
        value = high << 4 | low
    }

    /// Whether URL parsers write the escape in this form. They use capital digits, and do not encode letters, digits
    /// and `-._~` (RFC 3986, section 2.3).
    var isUsual: Bool { text.utf8.elementsEqual(usual.utf8) }

    /// The form that URL parsers write.
    var usual: String {
        let isUnreserved =
            (0x61...0x7A).contains(value | 0x20) || (0x30...0x39).contains(value) || "-._~".utf8.contains(value)
        return isUnreserved ? String(Unicode.Scalar(value)) : text.uppercased()
    }

    /// Whether there is a `%` at the index that does not begin an escape. A wildcard or a variable can stand for its
    /// digits.
    static func isBroken(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "%") else { return false }
        for next in [index + 1, index + 2] {
            guard next < bytes.count else { return true }
            if "*?$\\".utf8.contains(bytes[next]) { return false }
            if digit(bytes[next]) == nil { return true }
        }
        return false
    }

    /// The text with each `%` that does not begin an escape replaced by `%25`.
    static func mended(_ bytes: [UInt8]) -> String {
        let result = bytes.indices.flatMap { index in
            isBroken(bytes, index) ? Array("%25".utf8) : [bytes[index]]
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with all escapes in the form that URL parsers write.
    static func usual(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let escape = Escape(bytes, index) {
                result += escape.usual.utf8
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }
}
