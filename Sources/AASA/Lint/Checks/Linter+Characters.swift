import StrictJSON

/// Checks that each character is written as it appears in URLs.
extension Linter {
    func lintCharacters(_ pattern: WrittenPattern) {
        if pattern.isDecoded {
            // "false compares with the decoded component: `/a%20b` does not match" [OBS].
            if Self.hasEscape(pattern.text) {
                add(.encodedPattern, pattern.pointer, fix: decoding(pattern))
            }
            return
        }
        // "true (default) compares the pattern with the component as written: `/a b` does not match `/a%20b`" [OBS].
        let text = Characters.trimmed(pattern.text)
        if !text.utf8.elementsEqual(pattern.text.utf8) {
            add(
                .spaceAtEnd, pattern.pointer,
                fix: rewriting(pattern, text, "Remove the white space", keepsOutcomes: false))
        } else if let character = pattern.literals.first(where: { Characters.isNeverBare($0, pattern.part) }) {
            add(
                .unencodedCharacter(
                    Characters.shown(character), encoded: Characters.encoded(PatternShape.text([character])),
                    place: pattern.isInPaths ? .paths : .components),
                pattern.pointer, fix: encoding(pattern))
        }
        lintEscapes(pattern.text, pattern.pointer) { rewriting(pattern, $0, $1, keepsOutcomes: false) }
    }

    /// Encodes such characters in the pattern. Returns `nil` if it has variables, because their names may contain any
    /// character.
    private func encoding(_ pattern: WrittenPattern) -> Fix? {
        guard pattern.shape.variables.isEmpty, pattern.shape.defect == nil else { return nil }
        let text = Characters.encoded(pattern.text, pattern.part)
        return rewriting(pattern, text, "Percent-encode it", keepsOutcomes: false)
    }

    private func decoding(_ pattern: WrittenPattern) -> Fix? {
        // An encoded `*`, `?`, `$` or backslash would become special after decoding.
        guard let bytes = URLEncoding.decoded(Array(pattern.text.utf8)) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let special = { (text: String) in text.utf8.count { "*?$\\".utf8.contains($0) } }
        guard special(text) == special(pattern.text) else { return nil }
        return rewriting(pattern, text, "Decode it", keepsOutcomes: false)
    }

    /// Whether the text has a `%` followed by two hexadecimal digits.
    private static func hasEscape(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count && isHexadecimal(bytes[index + 1])
                && isHexadecimal(bytes[index + 2])
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}

/// Characters that URLs contain only percent-encoded, and their encoded form.
enum Characters {
    /// The place of a character. It determines the fix.
    enum Place {
        case components
        case paths
        case value
        case name
    }

    /// Whether a character never appears unencoded in a part: URL parsers always encode it (RFC 3986, sections 2 and
    /// 3), or it would end the part or the item. Browsers leave some characters in queries unencoded, but none of
    /// these. `#` in a path and backslashes have their own findings.
    static func isNeverBare(_ scalar: UInt32, _ part: WrittenPattern.Part) -> Bool {
        switch scalar {
        case 0x80..., ..<0x21, 0x7F, 0x22, 0x3C, 0x3E: true
        case 0x5E, 0x60, 0x7B, 0x7C, 0x7D: part == .path
        case 0x23: part == .query || part == .queryItem
        case 0x26: part == .queryItem
        default: false
        }
    }

    /// The character in messages. A space is hard to see in quotation marks.
    static func shown(_ scalar: UInt32) -> String { scalar == 0x20 ? "a space" : "\"\(PatternShape.text([scalar]))\"" }

    /// A text with all bytes percent-encoded.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: text.utf8.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// The text with each character percent-encoded that URLs never contain.
    static func encoded(_ text: String, _ part: WrittenPattern.Part) -> String {
        text.unicodeScalars.map { isNeverBare($0.value, part) ? encoded(String($0)) : String($0) }.joined()
    }

    /// The text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(String.UnicodeScalarView(scalars[...last].drop(while: isSpace)))
    }
}

extension SourceText {
    /// Whether the file contains `uk` as a path segment or as a value.
    var mentionsUK: Bool {
        let lower = bytes.map { $0 | 0x20 }
        for index in lower.indices.dropFirst().dropLast(2) where lower[index] == 0x75 && lower[index + 1] == 0x6B {
            let isEdge = { (byte: UInt8) in byte == 0x2F || byte == 0x22 }
            if isEdge(bytes[index - 1]), isEdge(bytes[index + 2]) { return true }
        }
        return false
    }
}
