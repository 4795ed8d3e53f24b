import Testing

@testable import AASA

/// Tests of the syntax of patterns.
@Suite struct PatternPieceTests {
    /// The pieces as text, with `|` between them.
    private func written(_ pattern: String, knowsVariables: Bool) -> String {
        PatternPieces(of: Array(pattern.utf8), knowsVariables: knowsVariables).map { piece in
            switch piece {
            case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
            case .one: "one"
            case .run: "run"
            case .backslash: "backslash"
            case .variable(let name): "variable \(String(decoding: name, as: UTF8.self))"
            case .unterminatedVariable: "unterminated"
            }
        }.joined(separator: "|")
    }

    @Test(
        "a pattern consists of literal text, wildcards, backslashes and variables",
        arguments: [
            ("", ""), ("/buy", "/buy"), ("*", "run"), ("a***b", "a|run|b"), ("?*", "one|run"), ("??", "one|one"),
            ("/é/%2A", "/é/%2A"), (#"\*b"#, "backslash|b"), (#"a\éb"#, "a|backslash|b"), (#"a\"#, "a|backslash"),
            (#"*\**"#, "run|backslash|run"), ("$(a)", "variable a"), ("/$(a b)/*", "/|variable a b|/|run"),
            ("$()x", "variable |x"), ("$(a*?)", "variable a*?"), ("$($(a)", "variable $(a"),
            ("*$(a)*", "run|variable a|run"),
            ("$a$", "$a$"), ("$$(a)", "$|variable a"), ("a$(b*c", "a|unterminated"), ("$(", "unterminated"),
            (#"$(a\)b)"#, #"variable a\|b)"#), ("[a]{b}", "[a]{b}"),
        ])
    func pieces(pattern: String, expected: String) {
        #expect(written(pattern, knowsVariables: true) == expected)
    }

    @Test("a system without variables reads them as literal text, except for wildcards in them")
    func withoutVariables() {
        #expect(written("/$(a)/*", knowsVariables: false) == "/$(a)/|run")
        #expect(written("$(a*b", knowsVariables: false) == "$(a|run|b")
    }

    @Test("literal text and a variable's name are slices of the pattern")
    func places() {
        let pieces = Array(PatternPieces(of: Array("/é**$(lang)x".utf8), knowsVariables: true))
        let places = pieces.map { piece -> Range<Int>? in
            switch piece {
            case .literal(let slice), .variable(let slice): slice.indices
            case .one, .run, .backslash, .unterminatedVariable: nil
            }
        }
        #expect(places == [0..<3, nil, 7..<11, 12..<13])
    }

    @Test("the other interpretation of an open rule is tried at a limited number of places in a pattern")
    func departures() {
        let reading = PatternReading(departure: .brackets, variables: nil)
        let pattern = ResolvedPattern(
            Array(String(repeating: "[ab]", count: 300).utf8), isFolded: false, reading: reading)
        let groups = pattern.pieces.count { if case .variable = $0 { true } else { false } }
        #expect(groups == ResolvedPattern.maximumDepartures)
    }
}
