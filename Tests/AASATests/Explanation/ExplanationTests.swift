import AASA
import StrictJSON
import Testing

/// Tests that explanations have the same outcomes as decisions, and of their sentences.
@Suite struct ExplanationTests {
    private static let app = "ABCDE12345.com.example.app"

    private static func association(_ components: JSONValue, variables: JSONValue = [:]) -> Association {
        Association(root: [
            "applinks": [
                "details": [["appIDs": [.string(app)], "components": components]], "substitutionVariables": variables,
            ]
        ])
    }

    private func trace(_ components: JSONValue, _ url: String, variables: JSONValue = [:]) -> AppTrace? {
        let association = Self.association(components, variables: variables)
        return association.evaluate(url, entitlementDomains: [], explaining: .allApps).trace?.first
    }

    /// Checks that the trace of each app agrees with its verdict.
    static func expectAgreement(_ evaluation: Evaluation, _ name: String) {
        guard evaluation.ineligibility == nil else {
            #expect(evaluation.trace == [], "\(name)")
            return
        }
        #expect(evaluation.trace?.map(\.app) == evaluation.apps.map(\.app), "\(name)")
        for (verdict, trace) in zip(evaluation.apps, evaluation.trace ?? []) {
            let deciding = trace.rules.last { $0.matches }
            if verdict.decidedBy == trace.entry {
                #expect(trace.rules.isEmpty && trace.note != nil, "\(name)")
            } else {
                #expect(deciding?.pointer == verdict.decidedBy, "\(name): \(evaluation.url) \(trace.rules)")
                #expect(deciding.map { $0.excludes ? .excluded : .opens } ?? .none == verdict.outcome, "\(name)")
            }
            #expect(trace.rules.count { $0.matches } <= 1, "\(name)")
            #expect(trace.rules.allSatisfy { $0.matches == $0.parts.allSatisfy(\.matches) }, "\(name)")
            #expect((trace.nearestMiss == nil) || verdict.outcome == .none, "\(name)")
        }
    }

    @Test("the explanation of every case agrees with the decision")
    func cases() throws {
        for conformance in try ConformanceCase.all() {
            guard let file = conformance.json["aasa"]?.object, let url = conformance.json["url"]?.string else {
                continue
            }
            for system in SystemVersion.allCases {
                let evaluation = Association(root: file).evaluate(
                    url, entitlementDomains: [], os: system, explaining: .allApps)
                Self.expectAgreement(evaluation, conformance.json["id"]?.string ?? "?")
            }
        }
    }

    @Test("the explanations of the corpus agree with the decisions", Corpus.condition)
    func corpus() throws {
        var count = 0
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            let explainer = Explainer(association)
            let urls = SampleURLs.urls(for: association)
            for (index, url) in urls.enumerated() where index % max(1, urls.count / 40) == 0 {
                Self.expectAgreement(explainer.evaluate(url, explaining: .allApps), file.name)
                count += 1
            }
        }
        print("explanations: \(count) URLs compared over the corpus")
        #expect(count > 2_000)
    }

    @Test("the explanations of random files agree with the decisions")
    func random() {
        var random = SeededRandom(seed: 14)
        for number in 0..<800 {
            let association = RandomFiles.association(&random)
            let explainer = Explainer(association, os: SystemVersion.allCases.randomElement(using: &random) ?? .ios14)
            for _ in 0..<8 {
                let url = RandomFiles.url(&random)
                Self.expectAgreement(explainer.evaluate(url, explaining: .allApps), "\(number) \(association.root)")
            }
        }
    }

    private struct Sentence: Sendable, CustomTestStringConvertible {
        let component: JSONValue
        let url: String
        let reason: String
        var testDescription: String { reason }

        init(_ component: JSONValue, _ url: String, _ reason: String) {
            self.component = component
            self.url = url
            self.reason = reason
        }
    }

    private static let sentences = [
        Sentence(["/": "/help/*"], "/help/x", "`/help/*` matches the path `/help/x/`."),
        Sentence(
            ["/": "/help/website"], "/help/x",
            "Path `/help/x/`: `/help/website` matches up to `/help/`, then requires `website/`, but finds `x/`."),
        Sentence(
            ["/": "/a"], "/a/b",
            "Path `/a/b/`: `/a` matches up to `/a/`, then ends, but the path continues with `b/`."),
        Sentence(
            ["/": "/a/b"], "/a",
            "Path `/a/`: `/a/b` matches up to `/a/`, then requires `b/`, but the path ends there."),
        Sentence(
            ["/": "*.html"], "/a.htm",
            "Path `/a.htm/`: `*.html` requires `.html/` somewhere, but there is none."),
        Sentence(
            ["/": "/*x"], "/xy",
            "Path `/xy/`: `/*x` matches up to `/`, then requires `x/` later, but there is none."),
        Sentence(
            ["/": "/$(food)/*"], "/soup/1",
            "Path `/soup/1/`: `/$(food)/*` matches up to `/`, then requires a value of $(food), but finds `soup/1/`."),
        Sentence(["/": "/$(food)/*"], "/sushi/1", "`/$(food)/*` matches the path `/sushi/1/` ($(food) is `sushi`)."),
        Sentence(["/": "/$(nope)/*"], "/x", "Path `/x/`: `/$(nope)/*` never matches because $(nope) is not defined."),
        Sentence(["/": "/$(food"], "/x", "Path `/x/`: `/$(food` never matches because its $( has no )."),
        Sentence(
            ["?": ["articleNumber": "????"]], "/x?articleNumber=12",
            "Query item `articleNumber` is `12`: `????` requires exactly 4 characters, but there are 2."),
        Sentence(
            ["?": ["q": "??"]], "/x?q=",
            "Query item `q` is empty: `??` requires exactly 2 characters, but there are none."),
        Sentence(
            ["?": ["q": "?*"]], "/x",
            "The URL has no query item `q`; this rule requires `?*`."),
        Sentence(
            ["?": ["q": "*"]], "/x", "The URL has no query item `q`; `*` matches a missing item."),
        Sentence(
            ["?": ["id": "42"]], "/x?id=42&id=7",
            "Query item `id` (2 of 2, all of which must match) is `7`: `42` does not match."),
        Sentence(["?": ["id": "4*"]], "/x?id=42", "`4*` matches the query item `id`, which is `42`."),
        Sentence(
            ["?": ["id": ""]], "/x?id=42",
            "Query item `id` is `42`: an empty pattern matches only an empty value."),
        Sentence(
            ["?": "a=1"], "/x?a=1&b=2",
            "Query `a=1&b=2`: `a=1` matches up to `a=1`, then ends, but the query continues with `&b=2`."),
        Sentence(["#": "top"], "/x", "The URL has no #fragment; this rule requires `top`."),
        Sentence(["#": "*"], "/x", "The URL has no #fragment; `*` matches that."),
        Sentence(
            ["/": "/Buy"], "/buy",
            "Path `/buy/`: `/Buy` matches up to `/`, then requires `Buy/`, but finds `buy/`. "
                + "Only letter case differs: with \"caseSensitive\": false it would match."),
        Sentence(
            ["/": "/a b"], "/a%20b",
            "Path `/a%20b/`: `/a b` matches up to `/a`, then requires ` b/`, but finds `%20b/`. "
                + "Only percent-encoding differs: with \"percentEncoded\": false it would match."),
        // If letter case is ignored, pattern and URL are still quoted as written.
        Sentence(
            ["/": "/Buy/*", "caseSensitive": false], "/Sell/X",
            "Path `/Sell/X/`: `/Buy/*` matches up to `/`, then requires `Buy/`, but finds `Sell/X/`."),
        Sentence(
            ["/": "/CAFÉ/Bar", "caseSensitive": false, "percentEncoded": false], "/Caf%C3%89/Barn",
            "Path `/CafÉ/Barn/`: `/CAFÉ/Bar` matches up to `/CafÉ/Bar`, then requires `/`, but finds `n/`."),
        // The Kelvin sign has three bytes, the letter that it is compared as has one.
        Sentence(
            ["/": "/K/Z", "caseSensitive": false, "percentEncoded": false], "/%E2%84%AA/Y",
            "Path `/\u{212A}/Y/`: `/K/Z` matches up to `/\u{212A}/`, then requires `Z/`, but finds `Y/`."),
        Sentence(
            ["?": ["q": "Red"], "caseSensitive": false], "/x?q=Blue",
            "Query item `q` is `Blue`: `Red` does not match."),
    ]

    @Test("a reason names the compared texts and the part that failed", arguments: sentences)
    private func reasons(_ sentence: Sentence) {
        let trace = trace([sentence.component], sentence.url, variables: ["food": ["burrito", "sushi"]])
        let part = trace?.rules.first?.parts.last { !$0.matches } ?? trace?.rules.first?.parts.last
        #expect(part?.reason == sentence.reason)
    }

    @Test("a trace in JSON has the documented shape")
    func json() {
        let trace = trace(
            [["/": "/Buy/$(food)", "caseSensitive": false, "comment": "shop"], [:]], "/BUY/Sushi",
            variables: ["food": ["sushi"]])
        #expect(
            trace?.json == [
                "app": .string(Self.app), "entry": "/applinks/details/0", "note": nil,
                "rules": [
                    [
                        "pointer": "/applinks/details/0/components/0", "outcome": "matches", "excludes": false,
                        "comment": "shop", "summary": "Every part matches: the URL opens the app.",
                        "parts": [
                            [
                                "part": "path", "name": nil, "pattern": "/Buy/$(food)", "compared": "/buy/$(food)/",
                                "text": "/BUY/Sushi/", "variables": [["name": "food", "value": "sushi"]],
                                "matches": true,
                                "reason": "`/Buy/$(food)` matches the path `/BUY/Sushi/` ($(food) is `sushi`).",
                            ]
                        ],
                    ]
                ], "notTried": 1, "leftOut": 0, "nearestMiss": nil,
            ])
    }

    @Test("the text for people shows the nearest miss first, then the rules in order")
    func text() {
        let rules: JSONValue = [
            ["/": "/help/website/*", "exclude": true, "comment": "stays on the web"],
            ["/": "/help/*", "?": ["articleNumber": "????"]],
        ]
        func text(_ url: String) -> [String] {
            Self.association(rules).evaluate(url, entitlementDomains: [], explaining: .allApps).text.map {
                String(repeating: "  ", count: $0.depth) + $0.text
            }
        }
        #expect(
            text("/help/x?articleNumber=12") == [
                "/help/x?articleNumber=12",
                "  opens in the browser: no rule matches",
                "  \(Self.app): none",
                "    nearest miss: /applinks/details/0/components/1",
                "      `/help/*` matches the path `/help/x/`.",
                "      Query item `articleNumber` is `12`: `????` requires exactly 4 characters, but there are 2.",
                "    /applinks/details/0/components/0 does not exclude (stays on the web)",
                "      Path `/help/x/`: `/help/website/*` matches up to `/help/`, then requires `website/`, but finds `x/`.",
            ])
        #expect(
            text("/help/website/a") == [
                "/help/website/a",
                "  opens in the browser: a rule excludes it",
                "  \(Self.app): excluded by /applinks/details/0/components/0",
                "    /applinks/details/0/components/0 excludes (stays on the web)",
                "      `/help/website/*` matches the path `/help/website/a/`.",
                "    1 later rule was not tried",
            ])
    }

    @Test("the nearest miss is the rule that came closest to a match")
    func nearestMiss() {
        func nearest(_ components: JSONValue, _ url: String) -> String? {
            trace(components, url)?.nearestMiss?.tokens.last
        }
        let rules: JSONValue = [
            ["/": "/help/contact", "exclude": true], ["/": "/shop/*"], ["/": "/help/c/*"],
            ["/": "/help/*", "?": ["a": "1"]],
            ["/": "/help/*", "?": ["a": "1", "b": "2"]],
        ]
        #expect(nearest(rules, "/help/x") == "3")
        #expect(nearest(rules, "/help") == "3")
        #expect(nearest(rules, "/hello") == "2")
        #expect(nearest(rules, "/other") == nil)
        #expect(nearest([["/": "/help/contact", "exclude": true]], "/help/x") == "0")
        #expect(nearest([["?": "a"]], "/") == nil)
    }

    @Test("notes report entries without rules and apps with several entries")
    func notes() {
        let file = Association(root: [
            "applinks": [
                "details": [
                    ["appIDs": [.string(Self.app)]],
                    ["appIDs": [.string(Self.app), "ABCDE12345.b"], "components": []],
                ]
            ]
        ])
        let traces = file.evaluate("/x", entitlementDomains: [], explaining: .allApps).trace ?? []
        #expect(
            traces.map(\.note) == [
                "This entry has no rules, so every URL opens the app. "
                    + "The app is also listed in /applinks/details/1, but only its first entry counts.",
                "This entry's list of rules is empty, so no URL opens the app.",
            ])
        let one = file.evaluate("/x", entitlementDomains: [], explaining: .app("ABCDE12345.b")).trace
        #expect(one?.map(\.app) == ["ABCDE12345.b"])
    }

    /// How often an evaluation asks whether it may continue. A time would depend on the machine.
    private func questions(of association: Association, _ url: String) -> (count: Int, evaluation: Evaluation) {
        var count = 0
        let evaluation = Explainer(association).evaluate(url, explaining: .allApps) {
            count += 1
            return true
        }
        return (count, evaluation)
    }

    @Test("the apps of an entry share one trace")
    func appsOfOneEntry() throws {
        func association(apps: Int) -> Association {
            let ids = (0..<apps).map { JSONValue.string("ABCDE12345.app\($0)") }
            let rules = (0..<300).map { ["/": .string("/a\($0)")] as JSONValue }
            return Association(root: [
                "applinks": ["details": [["appIDs": .array(ids), "components": .array(rules)]]]
            ])
        }
        let (one, many) = (questions(of: association(apps: 1), "/x"), questions(of: association(apps: 300), "/x"))
        #expect(many.count == one.count)
        let traces = try #require(many.evaluation.trace)
        #expect(traces.count == 300)
        #expect(traces.allSatisfy { $0.rules.count + $0.leftOut == 300 })
        #expect(traces.reduce(0) { $0 + $1.rules.count } <= AppTrace.Limits.rules)
        Self.expectAgreement(many.evaluation, "many apps")
    }

    @Test("an explanation that is stopped still has the right outcome, and says that it is unfinished")
    func unfinished() throws {
        let rules = (0..<300).map { ["/": .string("/a\($0)?")] as JSONValue } + [["/": "*"]]
        let evaluation = Explainer(Self.association(.array(rules))).evaluate("/x%41", explaining: .allApps) { false }
        #expect(evaluation.outcome == .opens)
        #expect(evaluation.certainty == .unknown)
        let trace = try #require(evaluation.trace?.first)
        #expect(trace.rules.isEmpty && trace.leftOut == 301)
        #expect(trace.note == "Not all rules are explained, because that would take too long.")
    }

    @Test("the explanation of a rule with many parts includes one that does not match")
    func manyParts() throws {
        let items = JSONObject((0..<5_000).map { ("q\($0)", $0 == 4_999 ? "x" : "*") })
        let trace = try #require(self.trace([["?": .object(items)]], "/x"))
        let parts = try #require(trace.rules.first?.parts)
        #expect(parts.count == AppTrace.Limits.parts)
        #expect(parts.last?.matches == false)
    }

    @Test("every explanation is limited")
    func limits() throws {
        let many = JSONValue.array((0..<2_000).map { ["/": .string("/\($0)")] } + [[:]])
        let trace = try #require(self.trace(many, "/x"))
        #expect(trace.rules.count <= AppTrace.Limits.rules + 1)
        #expect(trace.rules.count + trace.leftOut == 2_001)
        #expect(trace.rules.last?.matches == true)
        let slow = "/" + String(repeating: "*a", count: 2_000) + "*b"
        let url = "/" + String(repeating: "a", count: 8_000)
        let evaluation = Self.association(.array(Array(repeating: ["/": .string(slow)], count: 30)))
            .evaluate(url, entitlementDomains: [], explaining: .allApps)
        #expect(evaluation.json.bytes().count < 2 * AppTrace.Limits.bytes)
        #expect(evaluation.trace?.first?.rules.last?.parts.first?.reason.contains("takes too long") == true)
        #expect(evaluation.certainty == .unknown)
    }
}
