import AASA
import StrictJSON
import Testing

/// That what lint advises fits what is there: the cause is named, and following the advice does no harm.
@Suite struct LintAdviceTests {
    private static let head = #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"#

    private func findings(_ file: String, sensitive: [SensitiveLink] = []) -> [Finding] {
        Association.lint(Array(file.utf8), sensitive: sensitive).findings
    }

    private func findings(paths: String) -> [Finding] {
        findings(#"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":[\#(paths)]}]}}"#)
    }

    private func codes(components: String) -> [String] {
        findings(#"\#(Self.head)"components":[\#(components)]}]}}"#).map(\.code.rawValue)
    }

    @Test(
        "a file that is no JSON is told what it is",
        arguments: [
            ("", "empty", "serve no file"), (" \n", "empty", "serve no file"),
            ("---\npermalink: /a\n---\n{}", "front matter", "\"---\""), ("---\r\n{}", "front matter", "\"---\""),
            ("MIME-Version: 1.0\n\nMIIM", "signed", "unsigned"),
            ("{\"é\": \"a\\\"b\n}", "column 7 is not closed", "closing quotation mark"),
            ("{\"a\": \"b,\r\n\"c\": 1}", "line 1: the string that begins in column 7", "closing quotation mark"),
            // A tab is no sign of that.
            ("{\"a\": \"b\tc\"}", "a tab", "Correct the JSON"), ("-x", "number", "Correct the JSON"),
        ])
    func unreadable(file: String, message: String, remedy: String) throws {
        let finding = try #require(findings(file).first)
        #expect(finding.code == .invalidJSON)
        #expect(finding.message.contains(message), "\(finding.message)")
        #expect(finding.remedy.contains(remedy), "\(finding.remedy)")
    }

    @Test("an item that may be anything has no name whose letter case could matter")
    func nameOfAnything() {
        #expect(codes(components: #"{"/":"/a","?":{"id":"*"},"caseSensitive":false}"#) == ["WM042"])
        #expect(codes(components: #"{"/":"/a","?":{"id":"?*"},"caseSensitive":false}"#) == ["WM048"])
    }

    @Test("an exclusion of ** is not to become one of everything")
    func excludedDoubleStar() throws {
        let finding = try #require(findings(paths: #""NOT **","*""#).first)
        #expect(finding.code == .doubleStar)
        #expect(finding.message.contains("excludes every page but the root"))
        #expect(finding.fix == nil && finding.remedy.hasPrefix("Remove"))
        let component = #"\#(Self.head)"components":[{"/":"**","exclude":true},{"/":"/a"}]}]}}"#
        #expect(findings(component).first?.fix == nil)
        #expect(findings(paths: #""**""#).first?.fix?.title == "Write one star")
        #expect(findings(paths: #""NOT /a/**","*""#).first?.fix?.title == "Write one star")
    }

    @Test(
        "the exclusion of a whole site by its URL is not to become one of every page",
        arguments: [
            ("NOT https://acme.com/*", true), ("NOT https://acme.com", true), ("NOT acme.com/*", true),
            ("NOT https://acme.com/a", false), ("https://acme.com/*", false),
        ])
    func excludedSite(path: String, isRemoved: Bool) throws {
        let finding = try #require(findings(paths: "\"\(path)\",\"/b\"").first { $0.code == .urlInPath })
        #expect((finding.fix == nil) == isRemoved)
        #expect(finding.remedy.hasPrefix("Remove this rule") == isRemoved)
    }

    @Test("where an item that asks for nothing makes a rule cover another, the item is to be mended")
    func looseItem() throws {
        func contradiction(_ components: String) throws -> Finding {
            let found = findings(#"\#(Self.head)"components":[\#(components)]}]}}"#)
            return try #require(found.first { $0.code == .contradictedRule })
        }
        let loose = try contradiction(#"{"/":"/a","?":{"u/v":"*"}},{"/":"/a","exclude":true}"#)
        #expect(loose.remedy.contains("\"?*\" at /applinks/details/0/components/0/?/u~1v"))
        #expect(loose.fix == nil)
        // With `?*` that rule would cover these all the same.
        for later in [#"{"/":"/a","?":{"u":"1"},"exclude":true}"#, #"{"/":"/a","?":{"u":"?*"},"exclude":true}"#] {
            let finding = try contradiction(#"{"/":"/a","?":{"u":"*"}},\#(later)"#)
            #expect(finding.remedy.hasPrefix("Move"))
        }
    }

    @Test(
        "a service without apps is a notice, however it is written",
        arguments: [
            #"{"appclips":{}}"#, #"{"appclips":{"apps":[]}}"#, #"{"applinks":{}}"#, #"{"applinks":{"details":[]}}"#,
        ])
    func emptyService(file: String) {
        #expect(findings(file).map { "\($0.code.rawValue) \($0.position?.column ?? 0)" } == ["WM037 2"])
    }

    @Test("a service whose apps are of the wrong type, or under another name, has the one finding that says so")
    func unreadApps() {
        #expect(findings(#"{"appclips":{"apps":"Q1W2E3R4T5.a"}}"#).map(\.code) == [.wrongType])
        #expect(findings(#"{"appclips":{"app":["Q1W2E3R4T5.a"]}}"#).map(\.code) == [.misspelledKey])
    }

    @Test("of an app ID that no app has, it is not said what it opens")
    func malformed() {
        func codes(_ apps: String) -> [FindingCode] {
            let file = #"{"applinks":{"details":[{"appIDs":[\#(apps)],"components":[{"/":"*"}]}]}}"#
            return findings(file, sensitive: SensitiveLink.known).map(\.code)
        }
        #expect(codes(#""a.b""#) == [.malformedAppID])
        #expect(codes(#""a.b","Q1W2E3R4T5.a""#) == [.malformedAppID, .sensitiveLink])
        // The prefix is reported to be put in capitals.
        #expect(codes(#""q1w2e3r4t5.a""#) == [.malformedAppID, .sensitiveLink])
        let entry = { (app: String) in #"{"appIDs":["\#(app)"],"components":[{"/":"/a"}]}"# }
        for apps in [("a.b", "Q1W2E3R4T5.a"), ("Q1W2E3R4T5.a", "a.b")] {
            let file = #"{"applinks":{"details":[\#(entry(apps.0)),\#(entry(apps.1))]}}"#
            #expect(findings(file).map(\.code) == [.malformedAppID])
        }
    }

    @Test(
        "what is wrong with an app ID is named as it is",
        arguments: [
            (" Q1W2E3R4T5.a", "white space"), ("Q1W2E3R4T5.a\\n", "white space"), ("a.b", "has 1 character instead"),
            ("ada-4th-4e.b", "contains \"-\""), ("abcde12345.b", "contains \"a\""),
        ])
    func appIDs(app: String, reason: String) throws {
        let finding = try #require(findings(#"{"appclips":{"apps":["\#(app)"]}}"#).first)
        #expect(finding.message.contains(reason), "\(finding.message)")
        #expect((finding.fix?.title == "Remove the white space") == (reason == "white space"))
    }

    @Test("paths without effect name what iOS 9 to 12 miss, and nothing that is there")
    func missing() throws {
        func message(_ start: String) throws -> String {
            let file = #"{"applinks":{\#(start),"components":[{"/":"/a"}],"paths":["/a"]}]}}"#
            return try #require(findings(file).first { $0.code == .ignoredPaths }).message
        }
        let apps = #""apps": []"#
        #expect(try message(#""apps":[],"details":[{"appIDs":["Q1W2E3R4T5.a"]"#).contains("need \"appID\" besides"))
        #expect(try message(#""details":[{"appID":"Q1W2E3R4T5.a""#).contains("need \(apps) besides"))
        #expect(try message(#""details":[{"appIDs":["Q1W2E3R4T5.a"]"#).contains("need \(apps) and \"appID\" besides"))
    }

    @Test("the old form becomes an array as it stands; its order is kept, and that it counts is for the author to say")
    func oldForm() throws {
        func fix(_ details: String) throws -> (text: String, keepsOutcomes: Bool)? {
            let file = Array(#"{"applinks": {"details": \#(details)}}"#.utf8)
            let finding = try #require(Association.lint(file).findings.first { $0.code == .legacyDetails })
            let text = try finding.fix.map { String(decoding: try #require($0.applied(to: file)), as: UTF8.self) }
            return text.map { ($0, finding.fix?.keepsOutcomes == true) }
        }
        let reversed = try #require(
            try fix("{\n  \"B1W2E3R4T5.a\": {\n    \"paths\": [\"*\"]\n  },\n  \"A1W2E3R4T5.a\" : { }\n}"))
        #expect(
            reversed.text
                == "{\"applinks\": {\"details\": [\n  {\"appID\": \"B1W2E3R4T5.a\",\n    \"paths\": [\"*\"]\n  },\n"
                + "  {\"appID\": \"A1W2E3R4T5.a\" }\n]}}")
        #expect(!reversed.keepsOutcomes)
        let one = try #require(try fix(#"{"B1W2E3R4T5.a":{"paths":["*"]}}"#))
        #expect(one.text == #"{"applinks": {"details": [{"appID": "B1W2E3R4T5.a", "paths":["*"]}]}}"#)
        #expect(one.keepsOutcomes)
        // What such an entry has of its own would count from then on.
        #expect(try fix(#"{"B1W2E3R4T5.a":{"appID":"x","paths":["*"]}}"#) == nil)
    }

    @Test("two apps of the old form have no order that could be checked")
    func unordered() {
        let entries = #""B1W2E3R4T5.a":{"paths":["*"]},"A1W2E3R4T5.a":{"paths":["*"]}"#
        let file = #"{"applinks":{"details":{\#(entries)}}}"#
        let finding = findings(file).first { $0.code == .overlappingApps }
        #expect(finding?.remedy.contains("an array, whose order counts") == true)
    }
}
