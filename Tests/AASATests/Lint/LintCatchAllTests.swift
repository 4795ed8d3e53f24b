import AASA
import StrictJSON
import Testing

/// Findings on ignored keys and on text that iOS reads in another way than intended: rules that match everything,
/// missing sections, lists and exclusions in another syntax.
@Suite struct LintCatchAllTests {
    private static let head = #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"#

    private func findings(_ file: String) -> [Finding] { Association.lint(Array(file.utf8), sensitive: []).findings }

    private func codes(_ file: String) -> [String] {
        findings(file).map { "\($0.code.rawValue) \($0.pointer)".replacing("/applinks/details/0/", with: "") }
    }

    private func codes(components: String) -> [String] { codes(#"\#(Self.head)"components":[\#(components)]}]}}"#) }

    @Test(
        "a rule whose pattern has an unknown key is an error: it matches every URL",
        arguments: [
            (#"{"/e/":"*"}"#, "/e/"), (#"{"url":"/x/*"}"#, "url"), (#"{"path":"/x"}"#, "path"),
            (#"{"paths":["/x"]}"#, "paths"), (#"{"/#":"x"}"#, "/#"), (#"{"comment":"c","Path":"/x"}"#, "Path"),
            (#"{"exclude":true,"url":"/x"}"#, "url"), (#"{"caseSensitive":false,"*":"/x"}"#, "*"),
            (#"{"not":"/x"}"#, "not"), (#"{"excludePaths":["/x"]}"#, "excludePaths"),
        ])
    func ignoredPattern(component: String, key: String) throws {
        let found = findings(#"\#(Self.head)"components":[\#(component),{"/":"/y"}]}]}}"#)
        let finding = try #require(found.first { $0.code == .ruleWithoutPattern })
        #expect(finding.severity == .error)
        #expect(finding.pointer.tokens == ["applinks", "details", "0", "components", "0", key])
        #expect(finding.message.hasPrefix("Unknown key \"\(key)\": iOS ignores it. "))
        #expect(finding.message.contains("this rule matches every URL"))
        // There is only one finding about the key.
        #expect(found.count { $0.pointer == finding.pointer } == 1)
        // No automatic fix for findings that are consequences of it.
        #expect(found.allSatisfy { $0.fix?.keepsOutcomes != true })
    }

    @Test(
        "a rule that has a pattern, or is meant to match every URL, has no such error",
        arguments: [
            "{}", #"{"comment":"the rest"}"#, #"{"exclude":true}"#, #"{"_note":"the rest"}"#, #"{"coment":"the rest"}"#,
            #"{"description":"the rest"}"#, #"{"casesensitive":false}"#, #"{"excluded":true}"#,
            #"{"excluded":"true"}"#, #"{"/":"/a","url":"/a"}"#,
            #"{"/":1,"url":"/a"}"#, #"{"?":{"a":"1"},"path":"/a"}"#,
        ])
    func meantForEverything(component: String) {
        #expect(!codes(components: #"{"/":"/b"},\#(component)"#).contains { $0.hasPrefix("WM078") })
    }

    @Test("if defaults have a pattern, a rule without one does not match every URL")
    func defaults() {
        let file = #"\#(Self.head)"defaults":{"/":"/a/*"},"components":[{"url":"/a/b"}]}]}}"#
        #expect(codes(file) == ["WM081 defaults/~1", "WM017 components/0/url"])
    }

    @Test(
        "a misspelled section is an error, a misspelled key next to the right one is not",
        arguments: [
            (#"{"appLinks":{"details":[]}}"#, "WM079 /appLinks"),
            (#"{"WebCredentials":{"apps":[]}}"#, "WM079 /WebCredentials"),
            (#"{"applinks":{"detials":[]}}"#, "WM079 /applinks/detials"),
            (#"{"applinks":{"Details":[]}}"#, "WM079 /applinks/Details"),
            (#"\#(head)"component":[{"/":"/a"}]}]}}"#, "WM079 component"),
            (#"\#(head)"path":["/a"]}]}}"#, "WM079 path"),
            (#"\#(head)"paths":["/a"],"component":[{"/":"/a"}]}]}}"#, "WM017 component"),
            (#"{"applinks":{},"appLinks":{}}"#, "WM017 /appLinks"),
        ])
    func sections(file: String, expected: String) {
        #expect(codes(file).contains(expected), "\(codes(file))")
    }

    @Test(
        "a placeholder of ten characters is a warning, a sample app ID a notice",
        arguments: [
            ("XXXXXXXXXX", FindingCode.placeholderTeamID), ("YOURTEAMID", .placeholderTeamID),
            ("TEAM123456", .placeholderTeamID), ("0000000000", .placeholderTeamID), ("ABCDE12345", .placeholderAppID),
        ])
    func placeholders(prefix: String, code: FindingCode) {
        let found = findings(#"{"webcredentials":{"apps":["\#(prefix).com.acme.a","\#(prefix).com.acme.b"]}}"#)
        #expect(found.map(\.code) == [code])
        #expect(FindingCode.placeholderTeamID.severity == .warning && FindingCode.placeholderAppID.severity == .notice)
    }

    @Test(
        "an exclamation mark excludes neither in paths nor in components",
        arguments: [("!/admin/*", true), ("! /admin", true), ("!*", true), ("!important", false), ("/a/!/b", false)])
    func exclamationMark(path: String, isFound: Bool) throws {
        let paths = #"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":["\#(path)","/z"]}]}}"#
        let components = #"\#(Self.head)"components":[{"/":"\#(path)"},{"/":"/z"}]}]}}"#
        for file in [paths, components] {
            let finding = findings(file).first { $0.code == .malformedNot }
            #expect((finding != nil) == isFound)
            guard let fix = finding?.fix else { continue }
            let mended = try #require(fix.applied(to: Array(file.utf8)))
            #expect(
                !fix.keepsOutcomes
                    && !findings(String(decoding: mended, as: UTF8.self)).contains { $0.code == .malformedNot })
        }
        #expect(findings(paths).first { $0.code == .malformedNot }?.remedy.contains("\"NOT \"") != false)
    }

    @Test(
        "several patterns in one string are found; commas and semicolons of URLs are not",
        arguments: [
            ("/a/*, /b/*", 2), ("/a,/b,/c", 3), ("/a /b", 2), ("/a; /b", 2), ("/a|/b", 2), ("/a, NOT /b", 2),
            ("/a, *", 2),
            ("/@1,2,3", 1), ("/map/@*,*,*z", 1), ("/a;v=1/b", 1), ("/a,b/c", 1), ("/a, ", 1), (",/a", 1),
        ])
    func lists(path: String, count: Int) throws {
        let file = #"{"applinks":{"apps":[],"details":[{"appID":"Q1W2E3R4T5.a","paths":["\#(path)"]}]}}"#
        let finding = findings(file).first { $0.code == .severalPatterns }
        #expect((finding != nil) == (count > 1))
        guard let finding else { return }
        let mended = try Association(parsing: try #require(finding.fix?.applied(to: Array(file.utf8))))
        #expect(mended.root["applinks"]?["details"]?[0]?["paths"]?.array?.count == count)
        #expect(codes(components: #"{"/":"\#(path)"}"#) == ["WM082 components/0/~1"])
        // A decoded path may contain spaces.
        #expect(codes(components: #"{"/":"/a /b","percentEncoded":false}"#) == ["WM056 components/0/~1"])
    }

    @Test("a variable inside a value is an error")
    func nestedVariables() {
        let file =
            #"\#(Self.head)"components":[{"/":"/$(v)"}]}],"substitutionVariables":{"v":["a","$(digit)"]}}}"#
        #expect(codes(file) == ["WM052 /applinks/substitutionVariables/v/1"])
        #expect(FindingCode.nestedVariable.severity == .error)
    }

    @Test("an assetlinks.json has its own finding, any other array has not")
    func assetLinks() {
        let statement = #"{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"web"}}"#
        #expect(findings("[\(statement)]").map(\.code) == [.assetLinks])
        #expect(findings("[]").map(\.code) == [.rootNotObject])
        #expect(FindingCode.assetLinks.severity == .error)
    }

    @Test("an app with the ID of its App Clip has a warning")
    func appClip() {
        let file = { (clip: String) in
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a"],"components":[{"/":"/a"}]}]},"appclips":{"apps":["\#(clip)"]}}"#
        }
        #expect(codes(file("Q1W2E3R4T5.a")) == ["WM085 /appclips/apps/0"])
        #expect(codes(file("Q1W2E3R4T5.a.Clip")) == [])
        let both =
            #"{"applinks":{"details":[{"appIDs":["Q1W2E3R4T5.a","Q1W2E3R4T5.a.Clip"],"components":[{"/":"/a"}]}]},"appclips":{"apps":["Q1W2E3R4T5.a.Clip"]}}"#
        #expect(codes(both) == [])
    }
}
