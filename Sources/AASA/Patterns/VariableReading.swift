import StrictJSON

/// The variables of a file (`applinks.substitutionVariables`) and the predefined ones, in pieces for explanations.
final class VariableReading {
    private let custom: JSONObject
    private var known: [[UInt8]: (values: [ResolvedPattern.Value]?, openRules: Set<OpenRule>)] = [:]

    /// The variables of a file's `substitutionVariables`, which can be invalid.
    init(_ value: JSONValue?) { custom = value?.object ?? [:] }

    /// The values of a variable; nil if the name is not defined.
    func values(
        of name: String, isFolded: Bool, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [ResolvedPattern.Value]? {
        let key = [isFolded ? 1 : 0] + Array(name.utf8)
        if let (values, openRules) = known[key] {
            met.formUnion(openRules)
            return values
        }
        var openRules: Set<OpenRule> = []
        // Values contain no variables, so there is no further level.
        let plain = PatternReading(departure: reading.departure, variables: nil)
        let values = texts(of: name, isFolded: isFolded, reading, &openRules).map { texts in
            texts.map { bytes in
                let pattern = ResolvedPattern(bytes, isFolded: isFolded, reading: plain)
                openRules.formUnion(pattern.openRules)
                return ResolvedPattern.Value(text: String(decoding: bytes, as: UTF8.self), pieces: pattern.pieces)
            }
        }
        if Self.holdsBeginning(values ?? []) { openRules.insert(.firstFittingValue) }
        known[key] = (values, openRules)
        met.formUnion(openRules)
        return values
    }

    /// Whether more than one of the values can match at a place: one is a prefix of another, or one has wildcards.
    private static func holdsBeginning(_ values: [ResolvedPattern.Value]) -> Bool {
        let texts = values.map { Array($0.text.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        return texts.count > 1
            && (zip(texts, texts.dropFirst()).contains { $1.starts(with: $0) }
                || texts.joined().contains { "*?\\".utf8.contains($0) })
    }

    /// "A custom variable with a predefined name shadows it" [REP].
    private func texts(
        of name: String, isFolded: Bool, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [[UInt8]]? {
        let predefined = PredefinedVariables.values(of: Array(name.utf8))
        if let value = custom[name] {
            let strings = strings(value, reading, &met)
            return predefined != nil && reading.departs(from: .customVariableShadows, &met) ? predefined : strings
        }
        let isList = name == "region" || name == "lang"
        if isList, !isFolded, reading.departs(from: .regionAndLanguageCase, &met) {
            return predefined?.filter { $0.first.map { ($0 & 0x20 == 0) == (name == "region") } ?? false }
        }
        return predefined
    }

    /// The values as `VariableTable` reads them. If that goes beyond the documentation, an open rule is involved.
    private func strings(
        _ value: JSONValue, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [[UInt8]]? {
        guard let plain = VariableTable.values(value) else { return nil }
        let numbers = (value.array ?? []).compactMap { if case .number = $0 { $0.bytes(.compact) } else { nil } }
        if !numbers.isEmpty, reading.departs(from: .numberValues, &met) { return plain + numbers }
        let isAsDocumented = value.array?.count == plain.count && !plain.contains([]) && !plain.isEmpty
        if !isAsDocumented, reading.departs(from: .variableValues, &met) { return nil }
        return plain
    }
}
