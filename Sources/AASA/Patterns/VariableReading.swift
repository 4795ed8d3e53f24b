import StrictJSON
import Synchronization

/// The variables of a file (`applinks.substitutionVariables`) and the predefined variables, as pieces for explanations.
final class VariableReading: Sendable {
    private struct Known {
        let values: [ResolvedPattern.Value]?
        let openRules: Set<OpenRule>
    }

    private let custom: JSONObject
    private let known = Mutex<[[UInt8]: Known]>([:])

    /// Reads the variables of a file. `value` is its `substitutionVariables`, valid or not.
    init(_ value: JSONValue?) { custom = value?.object ?? [:] }

    /// The values of a variable, or `nil` if the name is not defined.
    func values(
        of name: String, isFolded: Bool, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [ResolvedPattern.Value]? {
        let key = [isFolded ? 1 : 0] + Array(name.utf8)
        if let known = known.withLock({ $0[key] }) {
            met.formUnion(known.openRules)
            return known.values
        }
        var openRules: Set<OpenRule> = []
        // Values cannot contain variables, so their pieces are read without variables.
        let plain = PatternReading(departure: reading.departure, variables: nil)
        let values = texts(of: name, isFolded: isFolded, reading, &openRules).map { texts in
            texts.map { bytes in
                let pattern = ResolvedPattern(bytes, isFolded: isFolded, reading: plain)
                openRules.formUnion(pattern.openRules)
                return ResolvedPattern.Value(text: String(decoding: bytes, as: UTF8.self), pieces: pattern.pieces)
            }
        }
        if Self.holdsBeginning(values ?? []) { openRules.insert(.firstFittingValue) }
        let found = Known(values: values, openRules: openRules)
        known.withLock { $0[key] = found }
        met.formUnion(openRules)
        return values
    }

    /// Whether more than one value can match at the same place: one is a prefix of another, or one has wildcards.
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

    /// The values, as `VariableTable` reads them. Records an open rule if the definition is not documented.
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
