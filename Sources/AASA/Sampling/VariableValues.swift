import StrictJSON

/// The values of a file's substitution variables, as bytes.
struct VariableValues {
    /// The approximate number of steps to compare a variable.
    struct Weight {
        /// Steps for each compared text.
        let perText: Int
        /// Steps for each use of the variable in a pattern.
        let perUse: Int
    }

    private let custom: [[UInt8]: [[UInt8]]]
    private let weights: [[UInt8]: Weight]

    /// Reads `substitutionVariables`.
    init(_ value: JSONValue?) {
        custom = VariableTable.custom(value)
        // Computed once, because patterns can use a variable with thousands of values thousands of times.
        weights = custom.mapValues(Weight.init)
    }

    /// The first and the last value of a variable, or `nil` if the variable is undefined or has no values.
    ///
    /// The values of predefined variables have the letter case that Apple documents.
    func examples(of name: [UInt8]) -> (first: [UInt8], last: [UInt8])? {
        if let values = custom[name] {
            guard let first = values.first, let last = values.last else { return nil }
            return (first, last)
        }
        let examples: (String, String)? =
            switch String(decoding: name, as: UTF8.self) {
            case "alpha": ("a", "Z")
            case "upper": ("A", "Z")
            case "lower": ("a", "z")
            case "alnum": ("a", "7")
            case "digit": ("7", "0")
            case "xdigit": ("f", "7")
            case "region": ("US", "GB")
            case "lang": ("en", "fr")
            default: nil
            }
        return examples.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    }

    /// The steps to compare a variable. If the file does not define it, the longest predefined list is assumed: 631
    /// codes of two or three letters, in two letter cases.
    func weight(of name: [UInt8]) -> Weight { weights[name] ?? Weight(perText: 3_800, perUse: 4) }
}

extension VariableValues.Weight {
    fileprivate init(_ values: [[UInt8]]) {
        let patterns = values.filter { $0.contains { "*?\\".utf8.contains($0) } }
        let lengths = Set(values.map(\.count)).count
        perText = values.reduce(0) { $0 + $1.count + 1 }
        perUse = lengths + patterns.reduce(0) { $0 + $1.count }
    }
}
