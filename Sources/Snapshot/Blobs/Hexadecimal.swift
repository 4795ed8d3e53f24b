/// Bytes as hexadecimal digits in lower case, the only form that the snapshot's texts accept.
package enum Hexadecimal {
    /// Two digits for each byte.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: digits(of: bytes), as: UTF8.self)
    }

    /// The same as `encode`, as ASCII bytes.
    package static func digits(of bytes: some Collection<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return digits
    }

    /// The bytes; nil if a character is not a digit or is in upper case, or if the number of digits is odd.
    package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for character in digits {
            guard let value = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of a digit; nil for any other character.
    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
