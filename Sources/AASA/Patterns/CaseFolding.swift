/// Case folding for `caseSensitive: false`: "ASCII lower-case, other code points one by one" [REP]. So `ß` does not
/// match `ss`, and text is not normalised to NFC or NFD.
enum CaseFolding {
    /// The text with folded letters. The number of scalars stays the same.
    static func folded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: room(for: source)) { target, count in
                guard let start = target.baseAddress else { return }
                count = fold(source, to: start)
            }
        }
    }

    /// The maximum number of bytes of the folded form.
    static func room(for bytes: UnsafeBufferPointer<UInt8>) -> Int {
        isASCII(bytes) ? bytes.count : 4 * bytes.count
    }

    /// Writes the folded form of UTF-8 text.
    ///
    /// - Returns: The number of bytes written.
    static func fold(_ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if isASCII(bytes) {
            for index in 0..<bytes.count {
                let byte = bytes[index]
                target[index] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
            }
            return bytes.count
        }
        var count = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            for byte in UTF8.encode(folded(scalar)) ?? UTF8.encodedReplacementCharacter {
                target[count] = byte
                count += 1
            }
        }
        return count
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    /// Simple case folding (Unicode CaseFolding.txt, statuses C and S). Scalars are converted to upper case first, so
    /// `ς` matches `σ`, and `ſ` matches `s`.
    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The dotless i has the same capital letter as the dotted one, but does not fold.
        if scalar == "\u{131}" { return scalar }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return single(upper.properties.lowercaseMapping) ?? upper
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
