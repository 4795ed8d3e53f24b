/// A text (valid UTF-8) that many patterns are compared with. It is for code that compares the parts of a URL one at a time;
/// ``Decider`` makes whole decisions.
final class ComparedText {
    let bytes: [UInt8]
    private var matcher = PlaceMatcher()

    /// The bytes and one more, so that even an empty text has an address.
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

    /// The same with ``PlaceMatcher`` only, so that a test can compare both ways.
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
                    // Without an address the pattern is empty.
                    guard let steps = code.baseAddress, let start = text.baseAddress else { return bytes.isEmpty }
                    return matches(
                        PatternView(steps, count: code.count, firstVariable: 0),
                        TextView(start: start, count: bytes.count, identity: 0), list)
                }
            }
        }
    }
}
