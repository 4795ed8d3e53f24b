/// The parts of a generated URL, as percent-encoded text.
struct URLText {
    var path: [UInt8]
    var query: [UInt8]?
    var fragment: [UInt8]?

    /// The URL. It starts with exactly one slash, because two slashes would start a host name. `nil` if it is longer
    /// than ``SampleURL/maximumLength``.
    var text: String? {
        var bytes = [UInt8(ascii: "/")] + path.drop { $0 == UInt8(ascii: "/") }
        if let query { bytes += [UInt8(ascii: "?")] + query }
        if let fragment { bytes += [UInt8(ascii: "#")] + fragment }
        return bytes.count <= SampleURL.maximumLength ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// The place of a text in the URL. It determines which characters need escapes (RFC 3986, sections 3.3 to 3.5).
    enum Place {
        case path, query, itemName, itemValue, fragment

        fileprivate func allows(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "?"): self != .path
            case UInt8(ascii: "&"): self != .itemName && self != .itemValue
            case UInt8(ascii: "="): self != .itemName
            default: "-._~!$'()*+,;:@/".utf8.contains(byte)
            }
        }
    }

    /// The text with escapes for the characters that need them. Existing escapes are kept, unless the text is decoded.
    /// In decoded text, `%` is an ordinary character.
    static func encoded(_ bytes: [UInt8], _ place: Place, isDecoded: Bool) -> [UInt8] {
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && !isDecoded && bytes[(index + 1)...].prefix(2).count(where: isHex) == 2
            if isEscape || place.allows(byte) { result.append(byte) } else { result += escaped(byte) }
        }
        return result
    }

    /// A byte as an escape: `%61`.
    static func escaped(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
    }

    /// The text with the case of each ASCII letter swapped. Escapes are unchanged.
    static func withCaseSwapped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            isLetter(byte) && !isInEscape(index, bytes) ? byte ^ 0x20 : byte
        }
    }

    /// The text with its last letter escaped, or `nil` if it has no letters.
    static func withLetterEscaped(_ bytes: [UInt8]) -> [UInt8]? {
        guard let index = bytes.indices.last(where: { isLetter(bytes[$0]) && !isInEscape($0, bytes) }) else {
            return nil
        }
        return bytes[..<index] + escaped(bytes[index]) + bytes[(index + 1)...]
    }

    private static func isInEscape(_ index: Int, _ bytes: [UInt8]) -> Bool {
        bytes[max(0, index - 2)..<index].contains(UInt8(ascii: "%"))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
