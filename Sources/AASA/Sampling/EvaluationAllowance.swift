/// Limits the total work of the evaluations in a comparison, so that no pair of files takes long. The unit is a step.
/// Comparing a text with a pattern counts as pattern length × text length / 64 steps, which is usually too high.
struct EvaluationAllowance {
    private(set) var isExhausted = false

    private var steps: Int

    init(steps: Int) { self.steps = steps }

    /// Subtracts the cost of evaluating a URL. Returns false if the remaining allowance is too small.
    mutating func spend(_ weight: Int, for url: String) -> Bool {
        let (cost, overflow) = weight.multipliedReportingOverflow(by: url.utf8.count / 64 + 1)
        guard !overflow, cost <= steps else {
            isExhausted = true
            return false
        }
        steps -= cost
        return true
    }

    /// The maximum cost of comparing 64 bytes of a URL with all rules of a file.
    static func weight(of entries: [PlacedEntry], _ variables: VariableValues, os system: SystemVersion) -> Int {
        var weight = 0
        var used: Set<[UInt8]> = []
        for entry in entries {
            // Each app needs a verdict.
            weight += 8 * entry.apps.count
            for rule in entry.rules {
                weight += 8
                for text in rule.reading.patternTexts {
                    weight += text.utf8.count
                    let pieces = PatternPieces(of: Array(text.utf8), knowsVariables: system >= .ios13point5)
                    for case .variable(let slice) in pieces {
                        let name = Array(slice)
                        let cost = variables.weight(of: name)
                        weight += cost.perUse + (used.insert(name).inserted ? cost.perText : 0)
                    }
                }
            }
        }
        return weight
    }
}

extension ComponentReading {
    /// All patterns as written in the file.
    var patternTexts: [String] {
        let inQuery =
            switch query {
            case .any: [String]()
            case .whole(let text): [text]
            case .items(let items): items.map(\.pattern)
            }
        return [path].compactMap(\.self) + inQuery + [fragment].compactMap(\.self)
    }
}
