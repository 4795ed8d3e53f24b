/// Bytes as hexadecimal digits in lower case, two per byte. Used for PostgreSQL's `bytea` (`bytea_output = hex`), the
/// names of blobs, the signatures of manifests and requests, and entity tags.
package enum Hexadecimal {
    /// The digits as text.
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: digits(of: bytes), as: UTF8.self)
    }

    /// The digits as ASCII bytes.
    @inlinable
    package static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return digits
    }

    /// Decodes ASCII digits. Upper-case digits are rejected, so that each value has only one spelling.
    ///
    /// - Returns: The bytes, or `nil` if the number of digits is odd or a character is not a lower-case digit.
    @inlinable
    package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var rest = digits.makeIterator()
        while let first = rest.next(), let second = rest.next() {
            guard let high = value(of: first), let low = value(of: second) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of an ASCII digit, 0 to 15, or `nil` for any other character, including upper case.
    @inlinable
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    @usableFromInline
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
