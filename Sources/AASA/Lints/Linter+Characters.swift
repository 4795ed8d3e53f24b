import StrictJSON

/// Characters: each is written as URLs have it.
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
        guard let character = pattern.literals.first(where: { Self.isNeverBare($0, pattern.part) }) else { return }
        let text = PatternShape.text([character])
        let shown = character == 0x20 ? "a space" : "\"\(text)\""
        add(
            .unencodedCharacter(shown, encoded: Self.encoded(text)), pattern.pointer, fix: encoding(pattern))
    }

    /// What a URL parser encodes (RFC 3986, sections 2 and 3; browsers leave some of it in queries, but not those).
    /// `#` in a path has a finding of its own, a backslash is no character at all.
    private static func isNeverBare(_ scalar: UInt32, _ part: WrittenPattern.Part) -> Bool {
        switch scalar {
        case 0x80..., ..<0x21, 0x7F, 0x22, 0x3C, 0x3E: true
        case 0x5E, 0x60, 0x7B, 0x7C, 0x7D: part == .path
        default: false
        }
    }

    private static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 { result += escape(byte) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The pattern with such characters encoded. Not where it has variables, whose names may hold anything.
    private func encoding(_ pattern: WrittenPattern) -> Fix? {
        guard pattern.shape.variables.isEmpty, pattern.shape.defect == nil else { return nil }
        var text = ""
        for scalar in pattern.text.unicodeScalars {
            let character = String(scalar)
            text += Self.isNeverBare(scalar.value, pattern.part) ? Self.encoded(character) : character
        }
        return rewriting(pattern, text, "Percent-encode it", keepsOutcomes: false)
    }

    private func decoding(_ pattern: WrittenPattern) -> Fix? {
        // An encoded `*`, `?`, `$` or backslash would become special.
        guard let bytes = URLEncoding.decoded(Array(pattern.text.utf8)) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let special = { (text: String) in text.utf8.count { "*?$\\".utf8.contains($0) } }
        guard special(text) == special(pattern.text) else { return nil }
        return rewriting(pattern, text, "Decode it", keepsOutcomes: false)
    }

    /// Whether there is a `%` with two hexadecimal digits.
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

extension SourceText {
    /// Whether the file speaks of `uk` as a part of a path or as a value.
    var mentionsUK: Bool {
        let lower = bytes.map { $0 | 0x20 }
        for index in lower.indices.dropFirst().dropLast(2) where lower[index] == 0x75 && lower[index + 1] == 0x6B {
            let isEdge = { (byte: UInt8) in byte == 0x2F || byte == 0x22 }
            if isEdge(bytes[index - 1]), isEdge(bytes[index + 2]) { return true }
        }
        return false
    }
}
