import StrictJSON

/// A variable in the form that lint uses.
final class VariableShape: Sendable {
    let name: String
    /// The values from the file or from Apple, without the values that iOS skips.
    let values: [[UInt8]]
    /// Whether Apple defines the variable and the file does not.
    let isPredefined: Bool
    /// Whether every value is one literal character.
    let isOneCharacter: Bool

    /// The maximum number of values that are tried one by one.
    private static let fewValues = 64

    private let exact: [[UInt32]]
    private let folded: [[UInt32]]

    init(name: String, values: [[UInt8]], isPredefined: Bool) {
        self.name = name
        self.values = values
        self.isPredefined = isPredefined
        let plain = values.filter { !$0.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == 0x5C } }
        let few = plain.count <= Self.fewValues ? plain : []
        exact = few.map(Self.scalars)
        folded = few.map { Self.scalars(CaseFolding.folded($0)) }
        isOneCharacter =
            !values.isEmpty && plain.count == values.count && !few.isEmpty && exact.allSatisfy { $0.count == 1 }
    }

    /// The literal values as scalars. Empty if there are too many values to try.
    func plainValues(isFolded: Bool) -> [[UInt32]] { isFolded ? folded : exact }

    /// A value for examples: not empty, without wildcards, and short.
    var sample: [UInt8]? {
        let preferred = ["en", "us", "a", "1"].map { Array($0.utf8) }
        if isPredefined, let value = preferred.first(where: values.contains) { return value }
        return values.first { value in
            !value.isEmpty && value.count <= 64
                && !value.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
        }
    }

    private static func scalars(_ bytes: [UInt8]) -> [UInt32] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
    }
}

/// The variables of a file and the predefined variables, by name and by number.
final class VariableShapes {
    /// The file's own variables, in order.
    let custom: [VariableShape]
    /// All variables that have been looked up, by number.
    private(set) var all: [VariableShape] = []

    private var numbers: [[UInt8]: Int] = [:]

    /// The variables of `substitutionVariables`.
    init(_ value: JSONValue?) {
        var custom: [VariableShape] = []
        for member in value?.object?.members ?? [] {
            guard let values = VariableTable.values(member.value) else { continue }
            custom.append(VariableShape(name: member.name, values: values, isPredefined: false))
        }
        self.custom = custom
        all = custom
        for (number, variable) in custom.enumerated() { numbers[Array(variable.name.utf8)] = number }
    }

    /// The number of a variable, or `nil` if neither the file nor Apple defines it.
    func number(of name: [UInt8]) -> Int? {
        if let number = numbers[name] { return number }
        guard let values = PredefinedVariables.values(of: name) else { return nil }
        all.append(VariableShape(name: String(decoding: name, as: UTF8.self), values: values, isPredefined: true))
        numbers[name] = all.count - 1
        return all.count - 1
    }
}
