/// Characters that text processing combines with adjacent characters: combining marks and regional indicators.
/// Combining marks are sorted when text is compared, and pairs of regional indicators form flags.
///
/// Swift and libidn2 need time that grows with the square of the number of such characters in a row, so input has a
/// limit. Unicode's own stream-safe format allows 30 (UAX #15, section 13).
package enum CombiningMarks {
    /// Whether a text has more than `limit` such characters in a row. Takes linear time.
    package static func exceed(_ limit: Int, in text: String) -> Bool {
        // Each of these characters has at least two bytes in UTF-8.
        guard text.utf8.count / 2 > limit else { return false }
        var row = 0
        for scalar in text.unicodeScalars {
            row = isMark(scalar) ? row + 1 : 0
            if row > limit { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return scalar.properties.canonicalCombiningClass != .notReordered
            || (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
}
