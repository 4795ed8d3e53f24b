extension JSONParser {
    /// `string = quotation-mark *char quotation-mark`. The index is at the first quotation mark.
    mutating func parseString() throws(Failure) -> String {
        let opening = index
        index += 1
        let start = index
        while let byte = peek() {
            if byte == UInt8(ascii: "\"") {
                let text = try string(bytes[start..<index], opening)
                index += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try parseEscapedString(opening, head: bytes[start..<index]) }
            try checkNotControl(byte)
            index += 1
        }
        throw failure(.unexpectedEnd, "the string that begins here is not closed", at: opening)
    }

    private mutating func parseEscapedString(_ opening: Int, head: ArraySlice<UInt8>) throws(Failure) -> String {
        var text = Array(head)
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try string(text[...], opening)
                index += 1
                return text
            case UInt8(ascii: "\\"):
                try parseEscape(into: &text)
            default:
                try checkNotControl(byte)
                text.append(byte)
                index += 1
            }
        }
        throw failure(.unexpectedEnd, "the string that begins here is not closed", at: opening)
    }

    /// `escape ( " / \ / "/" / b / f / n / r / t / u 4HEXDIG )`
    private mutating func parseEscape(into text: inout [UInt8]) throws(Failure) {
        let start = index
        index += 1
        guard let letter = peek() else { throw failure(.unexpectedEnd, "the text ends inside a string", at: index) }
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try parseCodePoint(start)
        default:
            throw failure(.invalidEscape, "invalid escape: a backslash cannot come before this character", at: start)
        }
    }

    /// The scalar of `\uXXXX`, or of a surrogate pair of two of them (RFC 8259, section 7).
    private mutating func parseCodePoint(_ start: Int) throws(Failure) -> [UInt8] {
        let first = try parseHex(start)
        var code = UInt32(first)
        switch first {
        case 0xD800...0xDBFF:
            let loneHalf = failure(.loneSurrogate, Self.loneSurrogate, at: start)
            guard peek() == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") else {
                throw loneHalf
            }
            index += 2
            let second = try parseHex(start)
            guard (0xDC00...0xDFFF).contains(second) else { throw loneHalf }
            code = 0x10000 + (UInt32(first) - 0xD800) * 0x400 + (UInt32(second) - 0xDC00)
        case 0xDC00...0xDFFF:
            throw failure(.loneSurrogate, Self.loneSurrogate, at: start)
        case 0 where !options.contains(.nulCharacters):
            throw failure(.nulCharacter, "\\u0000 is not allowed", at: start)
        default:
            break
        }
        guard let scalar = UnicodeScalar(code) else {
            throw failure(.loneSurrogate, Self.loneSurrogate, at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    private static let loneSurrogate = "half of a surrogate pair is not a character"

    private mutating func parseHex(_ start: Int) throws(Failure) -> UInt16 {
        guard bytes.count - index >= 4 else {
            throw failure(.unexpectedEnd, "the text ends inside a \\u escape", at: start)
        }
        var value: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw failure(.invalidEscape, "\\u needs four hexadecimal digits", at: start)
            }
            value = value << 4 | UInt16(digit)
        }
        index += 4
        return value
    }

    private func checkNotControl(_ byte: UInt8) throws(Failure) {
        guard byte < 0x20 else { return }
        let name =
            switch byte {
            case 0x0A, 0x0D: "a line break"
            case 0x09: "a tab"
            default: "a control character"
            }
        throw failure(.controlCharacter, "\(name) inside a string must be escaped", at: index)
    }

    private func string(_ bytes: ArraySlice<UInt8>, _ opening: Int) throws(Failure) -> String {
        if bytes.count > limits.stringLength {
            throw failure(
                .stringTooLong, "the string has \(bytes.count) bytes; at most \(limits.stringLength) are allowed",
                at: opening)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if CombiningMarks.exceed(limits.marksInRow, in: text) {
            throw failure(
                .tooManyMarks, "the string has more than \(limits.marksInRow) combining marks in a row", at: opening)
        }
        return text
    }
}
