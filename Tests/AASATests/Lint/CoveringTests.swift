import Testing

@testable import AASA

/// Whether one pattern covers another, compared with all short texts.
@Suite struct CoveringTests {
    private static func words(_ alphabet: [Character], upTo length: Int) -> [String] {
        var all = [""]
        var last = [""]
        for _ in 0..<length {
            last = last.flatMap { word in alphabet.map { word + String($0) } }
            all += last
        }
        return all
    }

    @Test("a pattern that covers another matches all its texts, and nearly all such patterns are found")
    func covering() {
        let table = VariableShapes(nil)
        let patterns = Self.words(["a", "b", "*", "?"], upTo: 3)
        let texts = Self.words(["a", "b"], upTo: 5).map { ComparedText(Array($0.utf8)) }
        let shapes = patterns.map { PatternShape(Array($0.utf8), isFolded: false, variables: table) }
        let matches = patterns.map { pattern -> [Bool] in
            let compiled = Pattern(Array(pattern.utf8), caseSensitive: true, variables: VariableTable(nil))
            return texts.map { text in
                var budget = MatchBudget()
                return compiled.matches(text, &budget)
            }
        }
        var (said, missed) = (0, 0)
        for (i, first) in shapes.enumerated() {
            for (j, second) in shapes.enumerated() {
                let isCovered = zip(matches[i], matches[j]).allSatisfy { $0 || !$1 }
                if first.covers(second) {
                    said += 1
                    #expect(isCovered, "\(patterns[i]) does not cover \(patterns[j])")
                } else if isCovered {
                    missed += 1
                }
            }
        }
        #expect(said > 700)
        #expect(missed * 9 < said, "\(missed) missed, \(said) said")
    }

    @Test("both patterns match the common text that is found, and one is found if there is one")
    func meeting() {
        let table = VariableShapes(nil)
        let patterns = Self.words(["a", "b", "*", "?"], upTo: 3)
        let texts = Self.words(["a", "b", "x"], upTo: 3)
        for first in patterns {
            let one = PatternShape(Array(first.utf8), isFolded: false, variables: table)
            for second in patterns {
                let other = PatternShape(Array(second.utf8), isFolded: false, variables: table)
                var budget = LintBudget()
                let text = one.meeting(other, &budget).map(PatternShape.text)
                if let text {
                    #expect(matches(first, text) && matches(second, text), "\(first) and \(second) in \(text)")
                } else {
                    let common = texts.first { matches(first, $0) && matches(second, $0) }
                    #expect(common == nil, "\(first) and \(second)")
                }
            }
        }
    }

    private func matches(_ pattern: String, _ text: String) -> Bool {
        var budget = MatchBudget()
        return Pattern(Array(pattern.utf8), caseSensitive: true, variables: nil)
            .matches(ComparedText(Array(text.utf8)), &budget)
    }
}
