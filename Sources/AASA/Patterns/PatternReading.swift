/// How patterns are read: what variables stand for, and from which open rule the reading departs, if any.
struct PatternReading {
    /// The open rule whose other reading is tried; nil for the reading that is followed here.
    let departure: OpenRule?
    /// What `$(…)` stands for; nil where the system does not know variables: then it is plain text.
    let variables: VariableReading?

    /// The reading that is followed here, for what variables do not bear upon.
    static var followed: PatternReading { PatternReading(departure: nil, variables: nil) }

    /// Notes that the reading comes upon an open rule, and tells whether it departs from it.
    func departs(from rule: OpenRule, _ met: inout Set<OpenRule>) -> Bool {
        met.insert(rule)
        return departure == rule
    }

    /// A query or fragment, or its pattern: "not slash-normalised" [REP]/[INF]; in the other reading it is, as a path.
    func slashed(_ bytes: [UInt8], _ met: inout Set<OpenRule>) -> [UInt8] {
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        if bytes.first == slash || bytes.last == slash || bytes.suffix(2) == [slash, star] {
            met.insert(.slashesBeyondPath)
        }
        guard departure == .slashesBeyondPath else { return bytes }
        return PathNormalization.normalized(bytes.first == star ? bytes : [slash] + bytes)
    }

    /// The text with its letters folded.
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
