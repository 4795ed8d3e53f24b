import AASA
import StrictJSON
import Testing

/// The advice of lint fits the file: it names the cause, and following it does no harm.
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
        "a file that is not JSON has a finding that names the cause",
        arguments: [
            ("", "empty", "serve no file"), (" \n", "empty", "serve no file"),
            ("---\npermalink: /a\n---\n{}", "front matter", "\"---\""), ("---\r\n{}", "front matter", "\"---\""),
            ("MIME-Version: 1.0\n\nMIIM", "signed email", "unsigned"),
            ("{\"é\": \"a\\\"b\n}", "(line 1, column 7): this string has no closing", "closing quotation mark"),
            ("{\"a\": \"b,\r\n\"c\": 1}", "(line 1, column 7): this string has no closing", "closing quotation mark"),
            // A tab does not mean that the string is open.
            ("{\"a\": \"b\tc\"}", "a tab", "Correct the JSON"), ("-x", "number", "Correct the JSON"),
            ("{\n“a”: 1}", "Line 2 uses a curly quotation mark (“)", "straight ones"),
            ("{\"a\": ’b’}", "Line 1 uses a curly quotation mark (’)", "straight ones"),
            // Inside a string they are ordinary characters.
            ("{\"a\": \"“\" 1}", "a comma or }", "Correct the JSON"),
        ])
    func unreadable(file: String, message: String, remedy: String) throws {
        let finding = try #require(findings(file).first)
        #expect(finding.code == .invalidJSON)
        #expect(finding.message.contains(message), "\(finding.message)")
        #expect(finding.remedy.contains(remedy), "\(finding.remedy)")
    }

    @Test("the letter case of an item's name does not matter if its pattern matches anything")
    func nameOfAnything() {
        #expect(codes(components: #"{"/":"/a","?":{"id":"*"},"caseSensitive":false}"#) == ["WM042"])
        #expect(codes(components: #"{"/":"/a","?":{"id":"?*"},"caseSensitive":false}"#) == ["WM048"])
    }

    @Test("no fix turns an exclusion of ** into one of everything")
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
        "no fix turns the exclusion of another site into one of every page",
        arguments: [
            ("NOT https://acme.com/*", true), ("NOT https://acme.com", true), ("NOT acme.com/*", true),
            ("NOT https://acme.com/a", false), ("https://acme.com/*", false),
        ])
    func excludedSite(path: String, isRemoved: Bool) throws {
        let finding = try #require(findings(paths: "\"\(path)\",\"/b\"").first { $0.code == .urlInPath })
        #expect((finding.fix == nil) == isRemoved)
        #expect(finding.remedy.hasPrefix("Remove this rule") == isRemoved)
    }

    @Test("if an item that requires nothing makes a rule cover another, the remedy is to change the item")
    func looseItem() throws {
        func contradiction(_ components: String) throws -> Finding {
            let found = findings(#"\#(Self.head)"components":[\#(components)]}]}}"#)
            return try #require(found.first { $0.code == .contradictedRule })
        }
        let loose = try contradiction(#"{"/":"/a","?":{"u/v":"*"}},{"/":"/a","exclude":true}"#)
        #expect(loose.remedy.contains("\"?*\" at /applinks/details/0/components/0/?/u~1v"))
        #expect(loose.fix == nil)
        // With `?*` that rule would cover these too.
        for later in [#"{"/":"/a","?":{"u":"1"},"exclude":true}"#, #"{"/":"/a","?":{"u":"?*"},"exclude":true}"#] {
            let finding = try contradiction(#"{"/":"/a","?":{"u":"*"}},\#(later)"#)
            #expect(finding.remedy.hasPrefix("Move"))
        }
    }

    @Test(
        "a service without apps is a notice in every form",
        arguments: [
            #"{"appclips":{}}"#, #"{"appclips":{"apps":[]}}"#, #"{"applinks":{}}"#, #"{"applinks":{"details":[]}}"#,
        ])
    func emptyService(file: String) {
        #expect(findings(file).map { "\($0.code.rawValue) \($0.position?.column ?? 0)" } == ["WM037 2"])
    }

    @Test("a service whose apps have the wrong type, or another name, has only the finding about that")
    func unreadApps() {
        #expect(findings(#"{"appclips":{"apps":"Q1W2E3R4T5.a"}}"#).map(\.code) == [.wrongType])
        #expect(findings(#"{"appclips":{"app":["Q1W2E3R4T5.a"]}}"#).map(\.code) == [.misspelledKey])
    }

    @Test("nothing is reported about the URLs of an invalid app ID")
    func malformed() {
        func codes(_ apps: String) -> [FindingCode] {
            let file = #"{"applinks":{"details":[{"appIDs":[\#(apps)],"components":[{"/":"*"}]}]}}"#
            return findings(file, sensitive: SensitiveLink.known).map(\.code)
        }
        #expect(codes(#""a.b""#) == [.malformedAppID])
        #expect(codes(#""a.b","Q1W2E3R4T5.a""#) == [.malformedAppID, .sensitiveLink])
        // iOS is reported to put the prefix in capitals.
        #expect(codes(#""q1w2e3r4t5.a""#) == [.malformedAppID, .sensitiveLink])
        let entry = { (app: String) in #"{"appIDs":["\#(app)"],"components":[{"/":"/a"}]}"# }
        for apps in [("a.b", "Q1W2E3R4T5.a"), ("Q1W2E3R4T5.a", "a.b")] {
            let file = #"{"applinks":{"details":[\#(entry(apps.0)),\#(entry(apps.1))]}}"#
            #expect(findings(file).map(\.code) == [.malformedAppID])
        }
    }

    @Test(
        "the finding names the fault of an app ID",
        arguments: [
            (" Q1W2E3R4T5.a", "white space"), ("Q1W2E3R4T5.a\\n", "white space"), ("a.b", "has 1 character instead"),
            ("ada-4th-4e.b", "contains \"-\""), ("abcde12345.b", "contains \"a\""),
            ("TEAM_ID.com.a", "begins with the placeholder \"TEAM_ID\""), ("com.a.TEAM", "3 characters instead"),
        ])
    func appIDs(app: String, reason: String) throws {
        let finding = try #require(findings(#"{"appclips":{"apps":["\#(app)"]}}"#).first)
        #expect(finding.message.contains(reason), "\(finding.message)")
        #expect((finding.fix?.title == "Remove the white space") == (reason == "white space"))
    }

    @Test("the finding on paths without effect names only the keys that are missing for iOS 9 to 12")
    func missing() throws {
        func message(_ start: String) throws -> String {
            let file = #"{"applinks":{\#(start),"components":[{"/":"/a"}],"paths":["/a"]}]}}"#
            return try #require(findings(file).first { $0.code == .ignoredPaths }).message
        }
        let apps = #""apps": []"#
        #expect(try message(#""apps":[],"details":[{"appIDs":["Q1W2E3R4T5.a"]"#).hasSuffix("also need \"appID\"."))
        #expect(try message(#""details":[{"appID":"Q1W2E3R4T5.a""#).hasSuffix("also need \(apps)."))
        #expect(try message(#""details":[{"appIDs":["Q1W2E3R4T5.a"]"#).hasSuffix("also need \(apps) and \"appID\"."))
    }

    @Test("a fix turns the old form into an array and keeps its order; the author must confirm that the order counts")
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
        // iOS would then read app IDs inside such an entry, which it ignores now.
        #expect(try fix(#"{"B1W2E3R4T5.a":{"appID":"x","paths":["*"]}}"#) == nil)
    }

    @Test("two apps in the old form have no order, so the remedy is an array")
    func unordered() {
        let entries = #""B1W2E3R4T5.a":{"paths":["*"]},"A1W2E3R4T5.a":{"paths":["*"]}"#
        let file = #"{"applinks":{"details":{\#(entries)}}}"#
        let finding = findings(file).first { $0.code == .overlappingApps }
        #expect(finding?.remedy.contains("an array, whose order counts") == true)
    }
}
