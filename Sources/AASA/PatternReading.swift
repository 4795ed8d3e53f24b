/// How patterns are read: what variables stand for, and from which open rule the reading departs, if any.
struct PatternReading {
    /// The open rule whose other reading is tried; nil for the reading that is followed here.
    let departure: OpenRule?
    /// What `$(…)` stands for; nil where the system does not know variables: then it is plain text.
    let variables: VariableReading?

    /// Notes that the reading comes upon an open rule, and tells whether it departs from it.
    func departs(from rule: OpenRule, _ met: inout Set<OpenRule>) -> Bool {
        met.insert(rule)
        return departure == rule
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
