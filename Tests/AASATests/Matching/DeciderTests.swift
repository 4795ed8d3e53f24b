import AASA
import StrictJSON
import Testing

/// Compares the verdicts of the index with those of trying every rule in order, for random files from fixed seeds.
@Suite struct DeciderTests {
    @Test("random files give random URLs the same verdict as trying every rule in order")
    func randomFiles() {
        var decider = Decider()
        var outcomes: [Evaluation.Outcome: Int] = [:]
        for seed in 1...150 as ClosedRange<UInt64> {
            var random = RandomFile(seed: seed)
            let association = random.association()
            let compiled = CompiledAssociation(association)
            for _ in 0..<40 {
                let url = random.url()
                let expected = NaiveEvaluation.verdicts(association, url)
                let evaluation = compiled.evaluate(url)
                outcomes[evaluation.outcome, default: 0] += 1
                if evaluation.apps != expected { Issue.record("seed \(seed), \(url): \(evaluation.apps)") }
                let decision = decider.decide(url, by: compiled)
                #expect(decision.outcome == evaluation.outcome)
                #expect(decision.app.map { compiled.appIDs[$0] } == evaluation.app)
                for (place, app) in evaluation.apps.enumerated() {
                    let verdict = decider.verdict(ofApp: place)
                    #expect(verdict?.outcome == app.outcome)
                    #expect(verdict?.decidedBy.flatMap { compiled.pointer(of: $0) } == app.decidedBy)
                }
            }
        }
        // All outcomes must occur often enough for the comparison to mean something.
        for outcome in Evaluation.Outcome.allCases { #expect(outcomes[outcome, default: 0] > 300, "\(outcomes)") }
    }

    @Test("a reused decider gives the same verdicts as a new one, for larger and smaller files and URLs in turn")
    func reuse() {
        let short = CompiledAssociation(RandomFile.file([["/": "/a/*"]]))
        let rules = (0..<500).map { JSONValue.object(["/": .string("/\($0)/*é"), "percentEncoded": false]) }
        let long = CompiledAssociation(RandomFile.file(.array(rules)))
        let places = CompiledAssociation(RandomFile.file([["/": "*$(lang)*x*b"], ["/": "*a*a*c", "?": "*q*"]]))
        let text = String(repeating: "a", count: 3_000)
        var decider = Decider()
        for url in [
            "/a/b", "/499/\(text)%C3%A9", "/\(text)xb", "/\(text)c?q", "/\(text)enx/b", "/a/", "ftp://a.b/", "/2/é",
            "https://a.b/a/", "https://x.b/2/é",
        ] {
            for association in [short, long, places] {
                let decision = decider.decide(url, by: association)
                let evaluation = association.evaluate(url)
                #expect(decision.outcome == evaluation.outcome, "\(url.prefix(20))")
                #expect(decision.ineligibility == evaluation.ineligibility?.code)
                for domain in [nil, "a.b", "*.b", "c.d"] {
                    let alone = association.evaluate(url, entitlementDomain: domain)
                    #expect(association.evaluate(url, entitlementDomain: domain, by: &decider) == alone)
                }
            }
        }
        #expect(decider.decide("/499/\(text)%C3%A9", by: long).outcome == .opens)
        #expect(decider.decide("/\(text)enx/b", by: places).outcome == .opens)
        #expect(decider.verdict(ofApp: 1) == nil)
        #expect(decider.verdict(ofApp: -1) == nil)
    }

    @Test("two URLs of equal length in turn do not affect each other")
    func sameLength() {
        let association = CompiledAssociation(RandomFile.file([["/": "*$(lang)x*"]]))
        let sevens = String(repeating: "7", count: 100)
        var decider = Decider()
        #expect(decider.decide("/\(sevens)77x", by: association).outcome == .none)
        #expect(decider.decide("/\(sevens)enx", by: association).outcome == .opens)
        #expect(decider.decide("/\(sevens)77x", by: association).outcome == .none)
    }

    @Test("prefixes are found even if they share bytes, contain each other or differ in one byte")
    func prefixes() {
        let paths = (0..<300).map { "/" + String(repeating: "ab", count: $0 % 7) + "\($0 % 50)" }
        let rules = paths.enumerated().map { index, path in
            JSONValue.object([
                "/": .string(path + (index.isMultiple(of: 2) ? "*" : "")), "comment": .string("\(index)"),
            ])
        }
        let association = RandomFile.file(.array(rules))
        let compiled = CompiledAssociation(association)
        for path in paths.flatMap({ [$0, $0 + "/x", String($0.dropLast()), $0 + "0"] }) {
            let url = "https://example.com" + path
            #expect(compiled.evaluate(url).apps == NaiveEvaluation.verdicts(association, url), "\(url)")
        }
    }
}

/// Random files and URLs with few letters, so that they often match.
struct RandomFile {
    private var random: SmallRandom

    init(seed: UInt64) { random = SmallRandom(seed: seed) }

    static func file(_ components: JSONValue, _ variables: JSONValue = [:]) -> Association {
        Association(root: [
            "applinks": [
                "details": [["appIDs": ["ABCDE12345.com.example.app"], "components": components]],
                "substitutionVariables": variables,
            ]
        ])
    }

    mutating func association() -> Association {
        let entries = (0..<Int.random(in: 1...4, using: &random)).map { _ in entry() }
        var applinks: JSONObject = [
            "details": .array(entries),
            "substitutionVariables": [
                "v": ["a", "ab", "B/"], "w": ["a*", "?b", ""], "one": ["a", "b", "/"], "none": [],
            ],
        ]
        if chance(4) { applinks["defaults"] = component() }
        return Association(root: ["applinks": .object(applinks)])
    }

    mutating func url() -> String {
        let pieces = ["a", "b", "A", "B", "/", "/", "//", "a/b", "ab", "%2F", "%61", "7", "*"]
        var url = "https://www.example.com"
        if !chance(12) { url += "/" + some(pieces, upTo: 6) }
        if chance(2) {
            let items = ["a=b", "b=a", "a", "A=b", "b=", "%61=b", "a=%62", "", "ab=aab"]
            url += "?" + (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(items) }.joined(separator: "&")
        }
        if chance(3) { url += "#" + some(["a", "b", "A", "?", "/", "%61"], upTo: 3) }
        return url
    }

    private mutating func entry() -> JSONValue {
        var entry: JSONObject = ["appIDs": [.string("ABCDE12345.app\(Int.random(in: 0...5, using: &random))")]]
        if chance(12) { return .object(entry) }
        entry["components"] = .array((0..<Int.random(in: 0...6, using: &random)).map { _ in component() })
        if chance(5) { entry["defaults"] = component() }
        return .object(entry)
    }

    private mutating func component() -> JSONValue {
        var component = JSONObject()
        if !chance(5) { component["/"] = .string((chance(2) ? "/" : "") + pattern(upTo: 5)) }
        if chance(4) {
            component["?"] =
                chance(2)
                ? .string(pattern(upTo: 3)) : .object([pick(["a", "b", "A", "%61"]): .string(pattern(upTo: 3))])
        }
        if chance(5) { component["#"] = .string(pattern(upTo: 2)) }
        if chance(3) { component["exclude"] = true }
        if chance(3) { component["caseSensitive"] = false }
        if chance(3) { component["percentEncoded"] = false }
        return .object(component)
    }

    private mutating func pattern(upTo length: Int) -> String {
        some(
            [
                "a", "b", "A", "/", "/", "*", "*", "?", "a/", "ab", "%61", "$(v)", "$(w)", "$(one)", "$(digit)",
                "$(none)", "$(x)",
            ], upTo: length)
    }

    private mutating func some(_ pieces: [String], upTo length: Int) -> String {
        (0..<Int.random(in: 0...length, using: &random)).map { _ in pick(pieces) }.joined()
    }

    private mutating func pick(_ pieces: [String]) -> String { pieces.randomElement(using: &random) ?? "" }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
