/// Letter case, for `caseSensitive: false`: "ASCII lower-case, other code points one by one" [REP]. So `ß` does not
/// equal `ss`, and nothing is normalised to NFC or NFD.
enum CaseFolding {
    /// UTF-8 text with its letters folded; the number of scalars stays the same.
    static func folded(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            return bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
        }
        var result = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { result.append(folded(scalar)) }
        return Array(String(result).utf8)
    }

    /// Simple case folding (Unicode CaseFolding.txt, statuses C and S), by way of the upper-case letter, so that `ς`
    /// and `σ`, `ſ` and `s` meet.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The dotless i has no folding of its own, but its capital is that of the dotted one.
        if scalar == "\u{131}" { return scalar }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return single(upper.properties.lowercaseMapping) ?? upper
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
