import AASA
import StrictJSON
import Testing

/// Tests of behaviour that `Fixtures/cases.json` does not cover: pointers, eligibility, older systems, hostile input.
@Suite struct EvaluationTests {
    private let app = "ABCDE12345.com.example.app"

    private func association(_ components: JSONValue, variables: JSONValue = [:]) -> Association {
        Association(root: [
            "applinks": [
                "details": [["appIDs": [.string(app)], "components": components]], "substitutionVariables": variables,
            ]
        ])
    }

    private func outcome(_ components: JSONValue, _ url: String, variables: JSONValue = [:]) -> Evaluation.Outcome {
        association(components, variables: variables).evaluate(url).outcome
    }

    @Test("the pointer to the deciding rule is its place in the original file")
    func pointers() throws {
        let file =
            #"{"applinks":{"details":[7,{"appIDs":["ABCDE12345.b","ABCDE12345.a"],"components":[{"/":"/no"},{"/":"/a/*","exclude":true},{}]},{"appID":"ABCDE12345.c"}]}}"#
        let association = try Association(parsing: Array(file.utf8))
        let evaluation = association.evaluate("https://example.com/a/b")
        #expect(evaluation.app == "ABCDE12345.c")
        #expect(evaluation.outcome == .opens)
        #expect(evaluation.apps.map(\.app) == ["ABCDE12345.b", "ABCDE12345.a", "ABCDE12345.c"])
        #expect(
            evaluation.apps.map { $0.decidedBy?.description } == [
                "/applinks/details/1/components/1", "/applinks/details/1/components/1", "/applinks/details/2",
            ])
        #expect(evaluation.apps.map(\.outcome) == [.excluded, .excluded, .opens])
        #expect(
            association.evaluate("https://example.com/x").apps.first?.decidedBy?.description
                == "/applinks/details/1/components/2")
        let none = self.association([["/": "/a"]]).evaluate("https://example.com/b")
        #expect(none.outcome == .none)
        #expect(none.apps.map(\.decidedBy) == [nil])
    }

    @Test(
        "if Apple's systems do not consider a URL, the reason is given",
        arguments: [
            ("", .unparsable), ("example.com/a", .unparsable), ("//example.com/a", .unparsable),
            ("https:/a", .unparsable),
            ("https:///a", .unparsable), ("https://example.com:x/", .unparsable),
            ("https://ex ample.com/", .unparsable),
            ("https://münchen.example/", .unparsable), ("ftp://example.com/", .scheme), ("mailto:a@b.c", .scheme),
            ("https://example.com:8443/", .port), ("http://example.com:443/", .port),
            ("https://localhost/", .hostNotQualified),
            ("https://example.com/\(String(repeating: "a", count: 70_000))", .unparsable),
        ] as [(String, Evaluation.Ineligibility.Code)])
    func ineligible(url: String, code: Evaluation.Ineligibility.Code) {
        let evaluation = association([[:]]).evaluate(url)
        #expect(evaluation.ineligibility?.code == code)
        #expect(evaluation.outcome == .none)
        #expect(evaluation.app == nil)
        #expect(evaluation.apps.map(\.outcome) == [.none])
    }

    @Test(
        "URLs with http, a default port, user info, uppercase letters or no host are considered",
        arguments: [
            "HTTPS://EXAMPLE.com/a", "http://example.com:80/a", "https://example.com:443/a",
            "https://u:p@example.com/a",
            "https://example.com:/a", "/a", "https://example.com/a?x#y",
        ])
    func eligible(url: String) { #expect(outcome([["/": "/a"]], url) == .opens) }

    @Test(
        "only URLs on the entitlement's domain are evaluated",
        arguments: [
            ("example.com", "https://example.com/", true), ("EXAMPLE.com?mode=developer", "https://example.com/", true),
            ("example.com", "https://www.example.com/", false), ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://evilexample.com/", false), ("example.com:8443", "https://example.com/", false),
            ("example.com", "/relative", true), ("", "https://example.com/", false),
        ])
    func entitlements(domain: String, url: String, opens: Bool) {
        #expect((association([[:]]).evaluate(url, entitlementDomain: domain).app != nil) == opens)
    }

    @Test(
        "a part of a URL with a character that needs an escape is encoded as Apple's URL parser does it",
        arguments: [
            ("https://example.com/a b", "/a%20b"), ("https://example.com/é", "/%C3%A9"),
            ("https://example.com/a b%20c", "/a%20b%2520c"),
            ("https://example.com/%zz", "/%25zz"), ("https://example.com/a[b]", "/a%5Bb%5D"),
            ("https://example.com/a\\b", "/a%5Cb"),
            ("https://example.com/a%20b?x[", "/a%20b"),
        ])
    func repairedPaths(url: String, path: String) { #expect(outcome([["/": .string(path)]], url) == .opens) }

    @Test(
        "text is decoded only once",
        arguments: [
            ("/", "/%2561", "/%61", "/a"), ("?", "/?%2561", "%61", "a"), ("#", "/#%2561", "%61", "a"),
        ])
    func decodedOnce(key: String, url: String, once: String, twice: String) {
        func rule(_ pattern: String) -> JSONValue { [[key: .string(pattern), "percentEncoded": false]] }
        #expect(outcome(rule(once), "https://example.com" + url) == .opens)
        #expect(outcome(rule(twice), "https://example.com" + url) == .none)
    }

    @Test("text that does not decode to UTF-8 is compared as written")
    func undecodable() {
        let rule: JSONValue = [["/": "/a%FFb", "percentEncoded": false]]
        #expect(outcome(rule, "https://example.com/a%FFb") == .opens)
    }

    @Test("a key has an effect only from its first system on")
    func systems() throws {
        func app(_ details: JSONValue, _ url: String, _ system: SystemVersion, _ more: JSONObject = [:]) -> Bool {
            var applinks: JSONObject = ["apps": [], "details": [details]]
            for member in more.members { applinks[member.name] = member.value }
            return Association(root: ["applinks": .object(applinks)]).evaluate(url, os: system).app != nil
        }
        let both: JSONValue = [
            "appID": "ABCDE12345.old", "appIDs": ["ABCDE12345.new"], "paths": ["/p"], "components": [["/": "/c"]],
        ]
        #expect(SystemVersion.allCases.map { app(both, "/p", $0) } == [true, false, false, false])
        #expect(SystemVersion.allCases.map { app(both, "/c", $0) } == [false, true, true, true])
        func component(_ component: JSONValue) -> JSONValue { ["appIDs": ["ABCDE12345.a"], "components": [component]] }
        let newer = SystemVersion.allCases.dropFirst()
        #expect(newer.map { app(component(["/": "/A", "caseSensitive": false]), "/a", $0) } == [false, true, true])
        #expect(newer.map { app(component(["/": "/$(digit)/"]), "/7", $0) } == [false, true, true])
        #expect(newer.map { app(component(["/": "/$(digit)/"]), "/$(digit)", $0) } == [true, false, false])
        #expect(
            newer.map { app(component(["/": "/a b", "percentEncoded": false]), "/a%20b", $0) } == [false, false, true])
        #expect(newer.map { app(component([:]), "/x", $0, ["defaults": ["/": "/y"]]) } == [true, true, false])
    }

    @Test("iOS 9 to 12 reject a file with non-empty apps, or with an entry without appID or paths")
    func rejected() {
        func rejects(_ applinks: JSONValue) -> Bool {
            Association(root: ["applinks": applinks]).evaluate("/a", os: .ios9).ineligibility?.code == .fileRejected
        }
        #expect(!rejects(["apps": [], "details": [["appID": "ABCDE12345.a", "paths": ["*"]]]]))
        #expect(rejects(["details": [["appID": "ABCDE12345.a", "paths": ["*"]]]]))
        #expect(rejects(["apps": ["ABCDE12345.a"], "details": []]))
        #expect(rejects(["apps": [], "details": [["appIDs": ["ABCDE12345.a"], "components": []]]]))
    }

    @Test("a pattern that is made to be slow is still decided")
    func slowPatterns() {
        let url = "https://example.com/" + String(repeating: "a", count: 2_000)
        let stars = "/" + String(repeating: "*a", count: 400) + "*b"
        #expect(outcome([["/": .string(stars)]], url) == .none)
        #expect(outcome([["/": .string(stars + "*")]], url + "b") == .opens)
        let values = JSONValue.array((1...40).map { .string(String(repeating: "a", count: $0)) })
        let adjacent = "/" + String(repeating: "$(v)", count: 60) + "b"
        #expect(outcome([["/": .string(adjacent)]], url, variables: ["v": values]) == .none)
        #expect(outcome([["/": .string(adjacent)]], url + "b", variables: ["v": values]) == .opens)
    }

    @Test("an evaluation that would take too long is refused with a note")
    func budget() {
        let url = "https://example.com/" + String(repeating: "a", count: 8_000)
        let values = JSONValue.array((1...200).map { .string(String(repeating: "a*", count: $0)) })
        let pattern = "/" + String(repeating: "$(v)", count: 4_000) + "b*"
        let evaluation = association([["/": .string(pattern)]], variables: ["v": values]).evaluate(url)
        #expect(evaluation.ineligibility?.code == .tooComplex)
        #expect(evaluation.app == nil)
    }
}
