import StrictJSON

/// What `$(name)` stands for, compiled: any one of its values.
final class Variable: Sendable {
    /// Values without wildcards, by their length in bytes.
    let plainValues: [(length: Int, values: [[UInt8]])]
    /// Values with wildcards: "values may hold `*` and `?`" [OBS].
    let patternValues: [[Pattern.Step]]

    init(values: [[UInt8]], caseSensitive: Bool) {
        var plain: [Int: [[UInt8]]] = [:]
        var patterns: [[Pattern.Step]] = []
        var seen: Set<[UInt8]> = []
        for value in values {
            let pattern = Pattern(value, caseSensitive: caseSensitive, variables: nil)
            let bytes = pattern.steps.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
            if bytes.count < pattern.steps.count {
                patterns.append(pattern.steps)
            } else if seen.insert(bytes).inserted {
                plain[bytes.count, default: []].append(bytes)
            }
        }
        plainValues = plain.map { ($0.key, $0.value) }.sorted { $0.length < $1.length }
        patternValues = patterns
    }
}

/// The variables of a file (`applinks.substitutionVariables`) and the predefined ones.
final class VariableTable {
    private let custom: [[UInt8]: [[UInt8]]]
    private var compiled: [Key: Variable] = [:]

    private struct Key: Hashable {
        let name: [UInt8]
        let caseSensitive: Bool
    }

    /// The table of a file's `substitutionVariables`, right or wrong.
    ///
    /// "A plain string instead of an array is accepted as one value; non-strings are skipped; the empty string is
    /// allowed" [REP]. Values cannot hold other variables [DOC]; such a value is skipped [REP].
    init(_ value: JSONValue?) {
        var custom: [[UInt8]: [[UInt8]]] = [:]
        for member in value?.object?.members ?? [] {
            let values: [JSONValue]
            switch member.value {
            case .string: values = [member.value]
            case .array(let elements): values = elements
            default: continue
            }
            custom[Array(member.name.utf8)] = values.compactMap { $0.string.map { Array($0.utf8) } }
                .filter { !Self.holdsVariable($0) }
        }
        self.custom = custom
    }

    /// The variable of a name, or nil. "A custom variable with a predefined name shadows it" [REP].
    func variable(_ name: [UInt8], caseSensitive: Bool) -> Variable? {
        let key = Key(name: name, caseSensitive: caseSensitive)
        if let known = compiled[key] { return known }
        guard let values = custom[name] ?? PredefinedVariables.values(of: name) else { return nil }
        let variable = Variable(values: values, caseSensitive: caseSensitive)
        compiled[key] = variable
        return variable
    }

    /// Whether a value holds `$(`.
    static func holdsVariable(_ value: [UInt8]) -> Bool {
        zip(value, value.dropFirst()).contains { $0 == (UInt8(ascii: "$"), UInt8(ascii: "(")) }
    }
}
