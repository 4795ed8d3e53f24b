/// The beginnings of the paths that a set of rules opens. They can prove that an exclusion overlaps none of these
/// rules.
///
/// Two rules overlap only if the beginning of one is a prefix of the other's beginning. The cost per rule is the length
/// of its beginning, and does not depend on the number of rules.
struct OpeningBeginnings {
    /// Longer beginnings rarely help.
    private static let limit = 32

    private struct Table {
        /// The hashes of the beginnings. A collision can only make two rules seem to overlap.
        var whole: Set<UInt64> = []
        /// The hashes of all prefixes of the beginnings.
        var parts: Set<UInt64> = []
    }

    /// One table for rules that are compared with URLs as written, and one for rules that are compared with decoded
    /// URLs.
    private var tables = [Table(), Table()]

    /// Adds a rule that opens URLs.
    mutating func insert(_ rule: RuleShape) {
        let hashes = Self.hashes(rule)
        tables[rule.isDecoded ? 1 : 0].parts.formUnion(hashes)
        if let last = hashes.last { tables[rule.isDecoded ? 1 : 0].whole.insert(last) }
    }

    /// Whether this rule and one of the added rules may match the same URL. A false result is always right.
    func mayMeet(_ rule: RuleShape) -> Bool {
        // Encoded and decoded text cannot be compared.
        if !tables[rule.isDecoded ? 0 : 1].whole.isEmpty { return true }
        let table = tables[rule.isDecoded ? 1 : 0]
        let hashes = Self.hashes(rule)
        return hashes.contains(where: table.whole.contains) || hashes.last.map(table.parts.contains) ?? true
    }

    /// The hashes (FNV-1a) of all prefixes of the rule's path beginning, in lower case. The empty prefix comes first.
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
