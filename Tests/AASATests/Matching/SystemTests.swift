import AASA
import StrictJSON
import Testing

/// Tests of everything around the patterns: systems, domains, apps and services.
@Suite struct SystemTests {
    private static let app = "ABCDE12345.a"

    private static func file(_ details: JSONValue, _ more: JSONObject = [:]) -> Association {
        var applinks: JSONObject = ["apps": [], "details": [details]]
        for member in more.members { applinks[member.name] = member.value }
        return Association(root: ["applinks": .object(applinks)])
    }

    private struct Feature: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: SystemVersion
        let url: String
        let file: Association

        init(_ name: String, _ first: SystemVersion, _ url: String, _ details: JSONValue, _ more: JSONObject = [:]) {
            testDescription = name
            self.first = first
            self.url = url
            file = SystemTests.file(details, more)
        }
    }

    private static let features = [
        Feature("appID, paths, apps: []", .ios9, "/a", ["appID": .string(app), "paths": ["/a"]]),
        Feature("NOT", .ios9, "/b", ["appID": .string(app), "paths": ["NOT /a", "*"]]),
        Feature("appIDs", .ios13, "/a", ["appIDs": [.string(app)], "appID": "ABCDE12345.z", "paths": ["/a"]]),
        Feature("components", .ios13, "/a", ["appID": .string(app), "components": [["/": "/a"]], "paths": ["/z"]]),
        Feature("queries", .ios13, "/?q=1", ["appID": .string(app), "components": [["?": ["q": "1"]]], "paths": []]),
        Feature("fragments", .ios13, "/#f", ["appID": .string(app), "components": [["#": "f"]], "paths": []]),
        Feature(
            "caseSensitive", .ios13point5, "/A",
            ["appIDs": [.string(app)], "components": [["/": "/a", "caseSensitive": false]]]),
        Feature(
            "substitutionVariables", .ios13point5, "/pizza",
            ["appIDs": [.string(app)], "components": [["/": "/$(food)"]]],
            ["substitutionVariables": ["food": ["pizza"]]]),
        Feature(
            "predefined variables", .ios13point5, "/7", ["appIDs": [.string(app)], "components": [["/": "/$(digit)/"]]]),
        Feature(
            "percentEncoded", .ios14, "/a%20b",
            ["appIDs": [.string(app)], "components": [["/": "/a b", "percentEncoded": false]]]),
        Feature(
            "defaults of an entry", .ios14, "/A",
            ["appIDs": [.string(app)], "components": [["/": "/a"]], "defaults": ["caseSensitive": false]]),
        Feature(
            "defaults of the file", .ios14, "/A", ["appIDs": [.string(app)], "components": [["/": "/a"]]],
            ["defaults": ["caseSensitive": false]]),
    ]

    @Test("a feature works from its first system on, and not before", arguments: features)
    private func versions(_ feature: Feature) {
        for system in SystemVersion.allCases {
            let opens = feature.file.evaluate(feature.url, os: system).apps.contains {
                $0.app == Self.app && $0.outcome == .opens
            }
            #expect(opens == (system >= feature.first), "\(system)")
        }
    }

    @Test("before iOS 13.5, $(…) is plain text")
    func literalVariables() {
        let file = Self.file(["appIDs": [.string(Self.app)], "components": [["/": "/$(digit)/"]]])
        #expect(
            [SystemVersion.ios13, .ios13point5, .ios14].map { file.evaluate("/$(digit)", os: $0).app != nil } == [
                true, false, false,
            ])
    }

    @Test("apps is optional from iOS 13 on; before that, the whole file is rejected with a reason")
    func rejection() {
        let file = Association(root: [
            "applinks": ["details": [["appID": .string(Self.app), "appIDs": [.string(Self.app)], "paths": ["*"]]]]
        ])
        #expect(SystemVersion.allCases.map { file.evaluate("/", os: $0).app != nil } == [false, true, true, true])
        let evaluation = file.evaluate("/", os: .ios9)
        #expect(evaluation.ineligibility?.code == .fileRejected)
        #expect(evaluation.ineligibility?.detail.contains("whole file") == true)
    }

    @Test("a service has its apps from its first system on")
    func services() {
        let file = Association(root: [
            "webcredentials": ["apps": ["abcde12345.a", 7, "ABCDE12345.a", "ABCDE12345.b"]],
            "appclips": ["apps": ["ABCDE12345.a.Clip"]], "authsrv": ["apps": ["ABCDE12345.c"]], "odd": ["ABCDE12345.d"],
        ])
        #expect(file.apps(ofService: "webcredentials") == ["ABCDE12345.a", "ABCDE12345.b"])
        #expect(SystemVersion.allCases.map { file.apps(ofService: "appclips", os: $0).count } == [0, 0, 0, 1])
        #expect(SystemVersion.allCases.map { file.apps(ofService: "authsrv", os: $0).count } == [0, 1, 1, 1])
        #expect(file.apps(ofService: "odd").isEmpty && file.apps(ofService: "Webcredentials").isEmpty)
    }

    @Test(
        "the domains that cover a host are in order: exact before wildcard, longer before shorter",
        arguments: [
            (
                ["*.com", "*.example.com", "a.example.com", "*.a.example.com"], "a.example.com",
                ["a.example.com", "*.a.example.com", "*.example.com"]
            ),
            (
                ["*.example.com", "www.example.com?mode=developer"], "www.example.com",
                ["www.example.com?mode=developer", "*.example.com"]
            ),
            (["applinks:example.com", "example.com:8443"], "example.com", ["applinks:example.com"]),
            (["*.example.com", "*ample.com", "a.*.com"], "badexample.com", []),
            (["xn--mnchen-3ya.example"], "xn--mnchen-3ya.example", ["xn--mnchen-3ya.example"]),
            (["münchen.example"], "xn--mnchen-3ya.example", []),
        ] as [([String], String, [String])])
    func domains(domains: [String], host: String, expected: [String]) {
        #expect(AssociatedDomains(domains).domains(naming: host) == expected)
    }

    @Test("one of several domains must cover the host, and the evaluation has it")
    func severalDomains() {
        let file = Self.file(["appIDs": [.string(Self.app)], "components": [[:]]])
        func evaluate(_ domains: [String], _ url: String) -> Evaluation {
            file.evaluate(url, entitlementDomains: domains)
        }
        let both = ["*.example.com", "www.example.com"]
        #expect(evaluate(both, "https://www.example.com/").entitlementDomain == "www.example.com")
        #expect(evaluate(both, "https://a.example.com/").entitlementDomain == "*.example.com")
        #expect(evaluate(both, "https://other.example/").ineligibility?.code == .otherHost)
        #expect(evaluate(["example.com:8443", "example.com"], "https://example.com/").app == Self.app)
        #expect(evaluate(["example.com:8443"], "https://example.com:8443/").ineligibility?.code == .entitlementPort)
        #expect(evaluate(both, "/x").app == Self.app)
        #expect(evaluate([], "https://other.example/").app == Self.app)
    }

    @Test(
        "an invalid entitlement covers no host, and the reason is given",
        arguments: [
            ("https://www.example.com", "a scheme, or a service other"),
            ("webcredentials:www.example.com", "a scheme, or a service other"),
            ("a.*.com", "wildcard"), ("*foo.example.com", "wildcard"), ("*.*.example.com", "wildcard"),
            ("www.example.com/", "\"/\""), ("www.example.com.", "period"), ("*.com", "only one label"),
            ("192.0.2.1", "IP address"), ("münchen.example", "punycode"), ("", "empty"), ("?mode=developer", "empty"),
        ])
    func malformed(entitlement: String, reason: String) {
        let file = Self.file(["appIDs": [.string(Self.app)], "components": [[:]]])
        for url in ["https://www.example.com/", "https://example.com/", "/"] {
            let evaluation = file.evaluate(url, entitlementDomain: entitlement)
            #expect(evaluation.ineligibility?.code == .entitlementMalformed)
            #expect(evaluation.ineligibility?.detail.contains(reason) == true, "\(evaluation)")
            #expect(evaluation.app == nil)
        }
    }

    @Test("the parent's file is evaluated only if the subdomain's has no match")
    func parents() {
        func file(_ components: JSONValue) -> Association {
            Self.file(["appIDs": [.string(Self.app)], "components": components])
        }
        let own = file([["/": "/no", "exclude": true], ["/": "/own"], ["/": "/both"]])
        let parent = file([["/": "/no"], ["/": "/parent"], ["/": "/both"]])
        let files = EntitledFiles([("*.example.com", parent), ("www.example.com", own)])
        func ask(_ path: String) -> Evaluation {
            files.evaluate("https://www.example.com\(path)", app: Self.app, explaining: .allApps)
        }
        #expect(ask("/own").entitlementDomain == "www.example.com")
        #expect(ask("/both").entitlementDomain == "www.example.com")
        #expect(ask("/parent").entitlementDomain == "*.example.com")
        #expect(ask("/parent").certainty == .documented)
        #expect(ask("/no").outcome == .opens)
        #expect(ask("/no").certainty == .reported)
        #expect(ask("/else").outcome == .none)
        #expect(ask("/parent").trace?.first?.rules.last?.pointer == ask("/parent").apps.first?.decidedBy)
        #expect(files.evaluate("https://b.example/", app: Self.app).ineligibility?.code == .otherHost)
        #expect(files.evaluate("/own", app: Self.app).ineligibility?.code == .otherHost)
        #expect(files.evaluate("ftp://www.example.com/", app: Self.app).ineligibility?.code == .scheme)
        #expect(EntitledFiles([("*.com", own)]).evaluate("https://a.com/", app: Self.app).ineligibility != nil)
    }
}
