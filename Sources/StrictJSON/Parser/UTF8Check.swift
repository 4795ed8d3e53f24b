/// Well-formed UTF-8 (Unicode, table 3-7).
package enum UTF8Check {
    /// The offset of the first ill-formed sequence, or `nil` if the text is well-formed.
    package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            guard let (length, second) = shape(lead), bytes.count - index >= length, second.contains(bytes[index + 1])
            else { return index }
            for place in (index + 2)..<max(index + 2, index + length) where bytes[place] & 0xC0 != 0x80 {
                return index
            }
            index += length
        }
        return nil
    }

    /// The length of the sequence for a lead byte, and the valid range of the second byte. This excludes overlong
    /// forms, surrogates, and values above U+10FFFF.
    private static func shape(_ lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
        switch lead {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xE1...0xEF: (3, 0x80...0xBF)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}
