/// Percent-encoding (RFC 3986, section 2).
enum URLEncoding {
    /// The part of a URL, which decides what may stand there bare.
    enum Part {
        case path
        case queryOrFragment
    }

    /// The component as Apple's URL parser leaves it: [DOC Foundation, since iOS 17 and macOS 14] "NSURL automatically
    /// percent-encodes invalid characters". Measured with swift-foundation: if a component has any invalid character
    /// (a `%` without two hexadecimal digits is one), all of those are encoded, and every `%` of the component too.
    static func repaired(_ bytes: ArraySlice<UInt8>, _ part: Part) -> [UInt8] {
        if isValid(bytes, part) { return Array(bytes) }
        var result: [UInt8] = []
        for byte in bytes {
            if isBare(byte, part) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0x0F)]
            }
        }
        return result
    }

    /// The bytes that an encoded component stands for; nil where they are no UTF-8. `+` stays `+`: NSURLComponents
    /// never decodes it [INF].
    static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var digitsLeft = 0
        for byte in bytes {
            if digitsLeft > 0 {
                guard let value = value(of: byte), let last = result.popLast() else { return nil }
                result.append(last << 4 | value)
                digitsLeft -= 1
            } else if byte == UInt8(ascii: "%") {
                result.append(0)
                digitsLeft = 2
            } else {
                result.append(byte)
            }
        }
        guard digitsLeft == 0, String(validating: result, as: UTF8.self) != nil else { return nil }
        return result
    }

    private static func isValid(_ bytes: ArraySlice<UInt8>, _ part: Part) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%") {
                guard bytes.endIndex - index > 2, value(of: bytes[index + 1]) != nil, value(of: bytes[index + 2]) != nil
                else { return false }
                index += 3
            } else if isBare(bytes[index], part) {
                index += 1
            } else {
                return false
            }
        }
        return true
    }

    /// RFC 3986, section 3.3: `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`; a path also has `/`; query
    /// and fragment also have `/` and `?`.
    private static func isBare(_ byte: UInt8, _ part: Part) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "?"): part == .queryOrFragment
        default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
