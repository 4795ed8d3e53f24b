import StrictJSON

/// Percent-encoding (RFC 3986, section 2).
enum URLEncoding {
    /// The part of a URL. It determines which characters are allowed unencoded.
    enum Part {
        case path
        case queryOrFragment
    }

    /// The component as Apple's URL parser writes it: "NSURL automatically percent-encodes invalid characters" [DOC
    /// Foundation, since iOS 17 and macOS 14].
    ///
    /// Measured with swift-foundation: a component is invalid if it has an invalid character, or a `%` without two
    /// hexadecimal digits. Then all invalid characters and every `%` of the component are encoded.
    static func repaired(_ bytes: ArraySlice<UInt8>, _ part: Part) -> [UInt8] {
        bytes.withUnsafeBufferPointer { source in
            if isValid(source, part) { return Array(source) }
            return [UInt8](unsafeUninitializedCapacity: 3 * source.count) { target, count in
                count = target.baseAddress.map { repair(source, part, to: $0) } ?? 0
            }
        }
    }

    /// The decoded bytes of a component, or `nil` if they are not valid UTF-8. `+` stays `+`: NSURLComponents never
    /// decodes it [INF].
    static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        var isText = true
        let result = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
                guard let start = target.baseAddress else { return }
                if let written = decode(source, to: start) { count = written } else { isText = false }
            }
        }
        return isText ? result : nil
    }

    /// Same as ``decoded(_:)``, but replaces invalid UTF-8 with U+FFFD.
    static func decodedWithSubstitutes(_ bytes: [UInt8]) -> [UInt8] {
        var (result, index) = ([UInt8](), 0)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), bytes.count - index > 2, let high = value(of: bytes[index + 1]),
                let low = value(of: bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return Array(String(decoding: result, as: UTF8.self).utf8)
    }

    /// Whether a component is valid and needs no repair.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Part) -> Bool {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if bare.contains(byte) || byte == UInt8(ascii: "?") && part == .queryOrFragment {
                index += 1
            } else if byte == UInt8(ascii: "%") {
                guard bytes.count - index > 2, value(of: bytes[index + 1]) != nil, value(of: bytes[index + 2]) != nil
                else { return false }
                index += 3
            } else {
                return false
            }
        }
        return true
    }

    /// Writes the repaired form of an invalid component. It has at most three bytes for each byte of the component.
    ///
    /// - Returns: The number of bytes written.
    static func repair(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Part, to target: UnsafeMutablePointer<UInt8>) -> Int
    {
        var count = 0
        for byte in bytes {
            if bare.contains(byte) || byte == UInt8(ascii: "?") && part == .queryOrFragment {
                target[count] = byte
                count += 1
            } else {
                target[count] = UInt8(ascii: "%")
                target[count + 1] = digit(byte >> 4)
                target[count + 2] = digit(byte & 0x0F)
                count += 3
            }
        }
        return count
    }

    /// Writes the decoded bytes of a component. They are never more than the bytes of the component.
    ///
    /// - Returns: The number of bytes written, or `nil` if they are not valid UTF-8.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int? {
        var (index, count) = (0, 0)
        var all: UInt8 = 0
        while index < bytes.count {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard bytes.count - index > 1, let high = value(of: bytes[index]), let low = value(of: bytes[index + 1])
                else { return nil }
                byte = high << 4 | low
                index += 2
            }
            all |= byte
            target[count] = byte
            count += 1
        }
        if all < 0x80 { return count }
        let written = UnsafeBufferPointer(start: target, count: count)
        return UTF8Check.firstInvalidOffset(in: written) == nil ? count : nil
    }

    /// RFC 3986, section 3.3: `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`. A path also has `/`; query
    /// and fragment also have `/` and `?`.
    ///
    /// The set contains letters, digits and `-._~!$&'()*+,;=:@/`. It is written as bits so that it is a compile-time
    /// constant.
    private static let bare = ASCIISet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)

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
