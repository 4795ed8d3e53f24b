/// An interpretation of pattern syntax: the variables, and at most one open rule (``OpenRule``) with its alternative
/// reading.
///
/// The *usual reading* is the one that ``CompiledAssociation`` uses. The *alternative reading* of an open rule is the
/// other plausible behaviour of iOS. ``Explainer`` evaluates a URL with the alternative reading to find out whether the
/// outcome depends on the rule.
struct PatternReading: Sendable {
    /// The open rule with the alternative reading, or `nil` if all rules have the usual reading.
    let departure: OpenRule?
    /// The variables, or `nil` if the system does not support them. If `nil`, `$(…)` is literal text.
    let variables: VariableReading?

    /// The usual reading, without variables.
    static var followed: PatternReading { PatternReading(departure: nil, variables: nil) }

    /// Adds an open rule to `met`, because the result can depend on it. Returns whether this reading uses the
    /// alternative reading of the rule.
    func departs(from rule: OpenRule, _ met: inout Set<OpenRule>) -> Bool {
        met.insert(rule)
        return departure == rule
    }

    /// The text of a query or fragment, or of a pattern for one. In the usual reading it stays unchanged: "not
    /// slash-normalised" [REP]/[INF]. In the alternative reading it is normalised like a path.
    func slashed(_ bytes: [UInt8], _ met: inout Set<OpenRule>) -> [UInt8] {
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        if bytes.first == slash || bytes.last == slash || bytes.suffix(2) == [slash, star] {
            met.insert(.slashesBeyondPath)
        }
        guard departure == .slashesBeyondPath else { return bytes }
        return PathNormalization.normalized(bytes.first == star ? bytes : [slash] + bytes)
    }

    /// The text with folded letters.
    func folded(_ bytes: [UInt8], _ met: inout Set<OpenRule>) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return CaseFolding.folded(bytes) }
        if departs(from: .asciiCaseOnly, &met) {
            return bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
        }
        if departs(from: .fullCaseFolding, &met) {
            return Array(String(decoding: bytes, as: UTF8.self).uppercased().lowercased().utf8)
        }
        return CaseFolding.folded(bytes)
    }
}
