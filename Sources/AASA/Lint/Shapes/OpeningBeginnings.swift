/// What the paths begin with that some rules open, to prove of an exclusion that none of them meets it.
///
/// Two rules meet only if the one's beginning is a beginning of the other's. Each rule costs the length of its
/// beginning, whatever the number of the others.
struct OpeningBeginnings {
    /// Longer beginnings hardly tell more.
    private static let limit = 32

    private struct Table {
        /// The beginnings, as hashes. Two that share one only seem to meet.
        var whole: Set<UInt64> = []
        /// The beginnings of the beginnings.
        var parts: Set<UInt64> = []
    }

    /// Of the rules that are compared with URLs as written, and of those compared with decoded ones.
    private var tables = [Table(), Table()]

    /// Adds a rule that opens.
    mutating func insert(_ rule: RuleShape) {
        let hashes = Self.hashes(rule)
        tables[rule.isDecoded ? 1 : 0].parts.formUnion(hashes)
        if let last = hashes.last { tables[rule.isDecoded ? 1 : 0].whole.insert(last) }
    }

    /// Whether one of the rules may match a URL that this one matches. False is certain.
    func mayMeet(_ rule: RuleShape) -> Bool {
        // Encoded and decoded text cannot be compared.
        if !tables[rule.isDecoded ? 0 : 1].whole.isEmpty { return true }
        let table = tables[rule.isDecoded ? 1 : 0]
        let hashes = Self.hashes(rule)
        return hashes.contains(where: table.whole.contains) || hashes.last.map(table.parts.contains) ?? true
    }

    /// The hashes (FNV-1a) of what every matching path begins with, from nothing to the whole of it, in lower case.
    private static func hashes(_ rule: RuleShape) -> [UInt64] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var hashes = [hash]
        guard rule.isCertain, !rule.isPathAny, let path = rule.path else { return hashes }
        for token in path.tokens.prefix(limit) {
            guard case .character(let scalar) = token else { break }
            hash = (hash ^ UInt64(PatternShape.folded(scalar))) &* 0x0000_0100_0000_01B3
            hashes.append(hash)
        }
        return hashes
    }
}
