import StrictJSON
import Testing

@testable import AASA

/// Compares both matching algorithms with a simple reference implementation.
@Suite struct PatternTests {
    /// Matches by the definition: `*` is zero or more characters, `?` is one, and a variable is one of its values.
    private static func naive(_ pattern: [NaiveStep], _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = Array(pattern.dropFirst())
        switch first {
        case .byte(let byte): return text.first == byte && naive(rest, text.dropFirst())
        case .one: return !text.isEmpty && naive(rest, text.dropFirst())
        case .run: return naive(rest, text) || (!text.isEmpty && naive(pattern, text.dropFirst()))
        case .choice(let values): return values.contains { naive($0 + rest, text) }
        }
    }

    private indirect enum NaiveStep {
        case byte(UInt8), one, run, choice([[NaiveStep]])

        static func steps(_ text: some Sequence<UInt8>) -> [NaiveStep] {
            text.map { $0 == UInt8(ascii: "*") ? .run : $0 == UInt8(ascii: "?") ? .one : .byte($0) }
        }
    }

    private static func words(over alphabet: String, upTo length: Int) -> [[UInt8]] {
        var all: [[UInt8]] = [[]]
        var last: [[UInt8]] = [[]]
        for _ in 0..<length {
            last = last.flatMap { word in alphabet.utf8.map { word + [$0] } }
            all += last
        }
        return all
    }

    /// The same for patterns without variables, with a table: fast enough for millions of cases.
    private static func naive(
        _ pattern: UnsafeBufferPointer<UInt8>, _ step: Int, _ text: UnsafeBufferPointer<UInt8>, _ place: Int
    ) -> Bool {
        if step == pattern.count { return place == text.count }
        switch pattern[step] {
        case UInt8(ascii: "*"):
            for end in place...text.count where naive(pattern, step + 1, text, end) { return true }
            return false
        case UInt8(ascii: "?"): return place < text.count && naive(pattern, step + 1, text, place + 1)
        case let byte: return place < text.count && text[place] == byte && naive(pattern, step + 1, text, place + 1)
        }
    }

    /// 3,906 patterns × 1,093 texts, and 310 texts with `*` and `?`, which are ordinary characters in a text. This takes
    /// half a minute on one core without optimization. All texts of up to 6 of the five characters would take nine
    /// minutes.
    @Test(
        """
        all patterns up to 5 characters over a b * ? / match all texts up to 6 over a b /, \
        and up to 4 over a * ? /, as the definition says
        """)
    func exhaustive() {
        let wild = Self.words(over: "a*?/", upTo: 4).filter { $0.contains { "*?".utf8.contains($0) } }
        let texts = (Self.words(over: "ab/", upTo: 6) + wild).map { ComparedText($0) }
        for bytes in Self.words(over: "ab*?/", upTo: 5) {
            let pattern = Pattern(bytes, caseSensitive: true, variables: nil)
            var budget = MatchBudget()
            for text in texts {
                let expected = bytes.withUnsafeBufferPointer { pattern in
                    text.bytes.withUnsafeBufferPointer { Self.naive(pattern, 0, $0, 0) }
                }
                if pattern.matches(text, &budget) != expected || text.matchesByPlaces(pattern, &budget) != expected {
                    Issue.record(
                        "\(String(decoding: bytes, as: UTF8.self)) \(String(decoding: text.bytes, as: UTF8.self))")
                }
            }
        }
    }

    @Test("variables with plain, empty and wildcard values match as in the definition")
    func variables() {
        var random = SmallRandom(seed: 7)
        let lists: [(name: String, values: [String])] = [
            ("v", ["a", "ab", "b/"]), ("e", ["", "a"]), ("w", ["a*", "?b", "/"]), ("n", []),
        ]
        let table = VariableTable(
            .object(.init(lists.map { ($0.name, .array($0.values.map { .string($0) })) })))
        let pieces = ["a", "b", "/", "*", "?", "$(v)", "$(e)", "$(w)", "$(n)"]
        let texts = Self.words(over: "ab/", upTo: 5).map { ComparedText($0) }
        for _ in 0..<150 {
            let chosen = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? "a"
            }
            let pattern = Pattern(Array(chosen.joined().utf8), caseSensitive: true, variables: table)
            let steps = chosen.flatMap { piece -> [NaiveStep] in
                guard let list = lists.first(where: { piece == "$(\($0.name))" }) else {
                    return NaiveStep.steps(piece.utf8)
                }
                return [.choice(list.values.map { NaiveStep.steps($0.utf8) })]
            }
            for text in texts {
                var budget = MatchBudget()
                let found = pattern.matches(text, &budget)
                if found != Self.naive(steps, text.bytes[...]) {
                    Issue.record("\(chosen.joined()) \(String(decoding: text.bytes, as: UTF8.self)): \(found)")
                }
            }
        }
    }

    @Test("matching is right across the 64-bit words of a long text")
    func longTexts() {
        for length in [62, 63, 64, 65, 127, 128, 129, 200] {
            let text = Array(repeating: UInt8(ascii: "a"), count: length)
            for (pattern, expected) in [
                (text, true), (text + [UInt8(ascii: "a")], false), (text.dropLast() + [UInt8(ascii: "?")], true),
                ([UInt8(ascii: "*")] + text, true), (Array("*b".utf8), false),
                (text.dropLast(3) + Array("*aaa".utf8), true),
                (text + [UInt8(ascii: "?")], false),
            ] {
                let compiled = Pattern(pattern, caseSensitive: true, variables: nil)
                var budget = MatchBudget()
                #expect(ComparedText(text).matchesByPlaces(compiled, &budget) == expected, "\(length)")
                #expect(compiled.matches(ComparedText(text), &budget) == expected, "\(length)")
            }
        }
    }

    @Test(
        "a question mark is one Unicode scalar of the text, however many bytes it has",
        arguments: [
            ("?", "é", true), ("??", "é", false), ("a?b", "a😀b", true), ("*?", "é", true), ("?*", "é", true),
            ("*??", "é", false),
            ("?é", "éé", true), ("??", "éé", true), ("???", "éé", false), ("*é", "aé", true), ("?", "e\u{301}", false),
        ])
    func scalars(pattern: String, text: String, expected: Bool) {
        let compiled = Pattern(Array(pattern.utf8), caseSensitive: true, variables: nil)
        var budget = MatchBudget()
        #expect(compiled.matches(ComparedText(Array(text.utf8)), &budget) == expected)
        #expect(ComparedText(Array(text.utf8)).matchesByPlaces(compiled, &budget) == expected)
    }

    @Test(
        "paths are normalised",
        arguments: [
            ("", "/"), ("a", "a"), ("/", "/"), ("*", "*"), ("?", "?"), ("abc", "/abc/"), ("//abc", "/abc/"),
            ("/buy//", "/buy/"),
            ("/buy/*", "/buy/*"), ("/buy/**", "/buy/*"), ("buy*", "/buy*"), ("*abc", "*abc/"), ("*abc*", "*abc*"),
            ("**", "/*/"),
            ("***", "/*/"), ("/**/", "/*/"), ("é", "é"), ("??", "/??/"), ("*/", "*/"), ("/*", "/*"), ("a///b", "/a/b/"),
        ])
    func normalization(path: String, expected: String) {
        #expect(String(decoding: PathNormalization.normalized(Array(path.utf8)), as: UTF8.self) == expected)
    }

    @Test(
        "letters are folded one by one",
        arguments: [
            ("ABC", "abc"), ("É", "é"), ("Σς", "σσ"), ("ẞ", "ß"), ("ſ", "s"), ("\u{212A}", "k"), ("ı", "ı"), ("İ", "İ"),
            ("ﬃ", "ﬃ"),
        ])
    func folding(text: String, folded: String) {
        #expect(CaseFolding.folded(Array(text.utf8)) == Array(folded.utf8))
    }
}

/// A small random number generator with a fixed seed (SplitMix64), so that failures are reproducible.
struct SmallRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
