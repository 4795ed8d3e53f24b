/// A text (valid UTF-8) for comparison with many patterns. Use it to compare the parts of a URL separately; ``Decider``
/// evaluates whole URLs.
final class ComparedText {
    let bytes: [UInt8]
    private var matcher = PlaceMatcher()

    /// The bytes and one extra byte, so that even an empty text has an address.
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

    /// Same as ``matches(_:_:)``, but always with ``PlaceMatcher``. A test compares the two.
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
                    // A pattern without an address is empty.
                    guard let steps = code.baseAddress, let start = text.baseAddress else { return bytes.isEmpty }
                    return matches(
                        PatternView(steps, count: code.count, firstVariable: 0),
                        TextView(start: start, count: bytes.count, identity: 0), list)
                }
            }
        }
    }
}
