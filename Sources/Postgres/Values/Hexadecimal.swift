/// Bytes as pairs of hexadecimal digits, the form of PostgreSQL's `bytea` (`bytea_output = hex`).
enum Hexadecimal {
    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

    /// Lower-case digits, two for each byte.
    static func string(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        case 65...70: digit - 55
        default: nil
        }
    }

    /// The bytes of a text of digits; nil when one is no digit or their number is odd.
    static func bytes(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var isValid = true
        let result = [UInt8](unsafeUninitializedCapacity: text.count / 2) { target, count in
            var digits = text.makeIterator()
            while let high = digits.next(), let low = digits.next() {
                guard let high = value(of: high), let low = value(of: low) else {
                    isValid = false
                    return
                }
                target[count] = high << 4 | low
                count += 1
            }
        }
        return isValid ? result : nil
    }
}
