/// A text that patterns are compared with, one after the other: valid UTF-8. For those who look at a URL's parts one by
/// one; whole decisions are made by a ``Decider``.
final class ComparedText {
    let bytes: [UInt8]
    private var matcher = PlaceMatcher()

    /// The bytes and one more, so that there is an address even for an empty text.
    private let storage: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        storage = bytes + [0]
    }

    /// Whether a pattern without a defect matches the whole text.
    func matches(_ pattern: Pattern, _ budget: inout MatchBudget) -> Bool {
        compare(pattern) { view, text, variables in
            view.prefixMatches(text) && view.tailMatches(text, variables, &matcher, &budget)
        }
    }

    /// The same by places alone, so that both ways can be compared.
    func matchesByPlaces(_ pattern: Pattern, _ budget: inout MatchBudget) -> Bool {
        compare(pattern) { view, text, variables in
            view.prefixMatches(text) && matcher.matches(view, text, variables, &budget)
        }
    }

    private func compare(_ pattern: Pattern, _ matches: (PatternView, TextView, VariableList) -> Bool) -> Bool {
        var variables = ScratchMemory<Unmanaged<Variable>>(capacity: pattern.variables.count)
        for variable in pattern.variables { variables.append(.passUnretained(variable)) }
        let list = VariableList(start: UnsafePointer(variables.start))
        return withExtendedLifetime(pattern) {
            pattern.code.withUnsafeBufferPointer { code in
                storage.withUnsafeBufferPointer { text in
                    // Without an address there are no steps.
                    guard let steps = code.baseAddress, let start = text.baseAddress else { return bytes.isEmpty }
                    return matches(
                        PatternView(steps, count: code.count, firstVariable: 0),
                        TextView(start: start, count: bytes.count, identity: 0), list)
                }
            }
        }
    }
}
