/// Finds the name that was probably meant.
public enum NearestName {
    /// The most similar candidate, or the first of several. It differs from `name` only in letter case, or in at most
    /// two edits (one edit for names of up to four bytes). Returns `nil` if no candidate is similar enough.
    public static func of(_ name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.utf8).map(lowercased)
        // Longer names are not typos, and the cost of a comparison is the product of the lengths.
        guard wanted.count <= 64 else { return nil }
        var best: (name: String, edits: Int)?
        for candidate in candidates {
            let letters = Array(candidate.utf8).map(lowercased)
            let allowed = min(wanted.count, letters.count) <= 4 ? 1 : 2
            guard abs(letters.count - wanted.count) <= allowed else { continue }
            let edits = distance(wanted, letters)
            if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        // Two different names of one letter are always one edit apart, which does not make them similar.
        guard let best, wanted.count > 1 || best.edits == 0 else { return nil }
        return best.name
    }

    /// The restricted Damerau-Levenshtein distance: insertions, deletions, replacements, and swaps of adjacent bytes.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var row = [i + 1]
            for (j, y) in b.enumerated() {
                var edits = min(last[j] + (x == y ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { edits = min(edits, beforeLast[j - 1] + 1) }
                row.append(edits)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
    }
}
