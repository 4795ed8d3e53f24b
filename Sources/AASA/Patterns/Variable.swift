import StrictJSON

/// A compiled variable. `$(name)` matches any of its values.
final class Variable: Sendable {
    /// Values without wildcards and with the same first byte, as ranges of ``bytes``.
    struct Group: Sendable {
        let first: UInt8
        let values: [Range<Int>]
    }

    /// Whether every value is one ASCII character.
    let isCharacter: Bool
    /// These characters, if ``isCharacter`` is true.
    let characters: ASCIISet
    /// The bytes of all values without wildcards.
    let bytes: [UInt8]
    /// The values without wildcards by first byte, except the empty value.
    let groups: [Group]
    let hasEmptyValue: Bool
    /// The code of values with wildcards: "values may hold `*` and `?`" [OBS].
    let patternCodes: [[UInt32]]

    init(values: [[UInt8]], caseSensitive: Bool) {
        var plain: Set<[UInt8]> = []
        var patterns: [Pattern] = []
        for value in values {
            let pattern = Pattern(value, caseSensitive: caseSensitive, variables: nil)
            if pattern.code.allSatisfy({ $0 < StepCode.one }) {
                plain.insert(pattern.code.map { UInt8(truncatingIfNeeded: $0) })
            } else {
                patterns.append(pattern)
            }
        }
        patternCodes = patterns.map(\.code)
        hasEmptyValue = plain.contains([])
        let sorted = plain.sorted { $0.lexicographicallyPrecedes($1) }
        isCharacter = patterns.isEmpty && !plain.isEmpty && plain.allSatisfy { $0.count == 1 }
        characters = ASCIISet(isCharacter ? sorted.joined().map(\.self) : [])
        var bytes: [UInt8] = []
        var groups: [(first: UInt8, values: [Range<Int>])] = []
        for value in sorted {
            guard let first = value.first else { continue }
            if groups.last?.first != first { groups.append((first, [])) }
            groups[groups.count - 1].values.append(bytes.count..<bytes.count + value.count)
            bytes += value
        }
        self.bytes = bytes
        self.groups = groups.map { Group(first: $0.first, values: $0.values) }
    }
}

/// The variables of a file (`applinks.substitutionVariables`) and the predefined variables.
final class VariableTable {
    private let custom: [[UInt8]: [[UInt8]]]
    private var compiled: [Key: Variable] = [:]

    private struct Key: Hashable {
        let name: [UInt8]
        let caseSensitive: Bool
    }

    /// Creates a table from a file's `substitutionVariables`, which can be invalid.
    init(_ value: JSONValue?) { custom = Self.custom(value) }

    /// The variables defined by a file, by name.
    static func custom(_ value: JSONValue?) -> [[UInt8]: [[UInt8]]] {
        var custom: [[UInt8]: [[UInt8]]] = [:]
        for member in value?.object?.members ?? [] { custom[Array(member.name.utf8)] = values(member.value) }
        return custom
    }

    /// The values in a variable's definition, or `nil` if the definition is not valid.
    ///
    /// "A plain string instead of an array is accepted as one value; non-strings are skipped; the empty string is
    /// allowed" [REP]. Values cannot hold other variables [DOC]; such a value is skipped [REP].
    static func values(_ value: JSONValue?) -> [[UInt8]]? {
        let values: [JSONValue]
        switch value {
        case .string(let text): values = [.string(text)]
        case .array(let elements): values = elements
        default: return nil
        }
        return values.compactMap { $0.string.map { Array($0.utf8) } }.filter { !holdsVariable($0) }
    }

    /// The variable with a name, or nil. "A custom variable with a predefined name shadows it" [REP].
    func variable(_ name: [UInt8], caseSensitive: Bool) -> Variable? {
        let key = Key(name: name, caseSensitive: caseSensitive)
        if let known = compiled[key] { return known }
        guard let values = custom[name] else {
            return PredefinedVariables.variable(name, caseSensitive: caseSensitive)
        }
        let variable = Variable(values: values, caseSensitive: caseSensitive)
        compiled[key] = variable
        return variable
    }

    /// Whether a value contains `$(`.
    static func holdsVariable(_ value: [UInt8]) -> Bool {
        zip(value, value.dropFirst()).contains { $0 == (UInt8(ascii: "$"), UInt8(ascii: "(")) }
    }
}
