/// A reading of patterns: the variables, and optionally one open rule that is read the other way.
struct PatternReading: Sendable {
    /// The open rule that is read the other way, or `nil` for the reading that Waymark uses.
    let departure: OpenRule?
    /// The variables, or `nil` if the system does not support them. If `nil`, `$(…)` is literal text.
    let variables: VariableReading?

    /// The reading that Waymark uses, without variables.
    static var followed: PatternReading { PatternReading(departure: nil, variables: nil) }

    /// Records the use of an open rule. Returns whether this reading reads the rule the other way.
    func departs(from rule: OpenRule, _ met: inout Set<OpenRule>) -> Bool {
        met.insert(rule)
        return departure == rule
    }

    /// The text of a query, a fragment, or a pattern for one of these: "not slash-normalised" [REP]/[INF]. In the other
    /// reading, it is normalised like a path.
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
