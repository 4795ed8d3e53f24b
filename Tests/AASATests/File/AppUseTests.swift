import AASA
import Testing

/// How a file uses an app.
@Suite("Uses of an app")
struct AppUseTests {
    private static let cases: [(file: String, use: AppUse?)] = [
        (#"{}"#, nil),
        (#"{"applinks":{"details":[{"appIDs":["ABCDE12345.other"],"components":[{}]}]}}"#, nil),
        (
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{},{"exclude":true},{}]}]}}"#,
            AppUse(rules: 2, excludes: 1, services: ["applinks"])
        ),
        (
            // Defaults of the element come before those of the file.
            #"{"applinks":{"defaults":{"exclude":true},"details":[{"appIDs":["ABCDE12345.a"],"components":[{}]},"#
                + #"{"appID":"ABCDE12345.a","defaults":{"exclude":false},"components":[{},{"exclude":true}]}]}}"#,
            AppUse(rules: 1, excludes: 2, services: ["applinks"])
        ),
        (
            #"{"applinks":{"details":[{"appID":"ABCDE12345.a","paths":["/a","NOT /b"]}]},"webcredentials":{"apps":["ABCDE12345.a"]}}"#,
            AppUse(rules: 1, excludes: 1, services: ["applinks", "webcredentials"])
        ),
        (
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"]}]}}"#,
            AppUse(everything: true, services: ["applinks"])
        ),
        (#"{"appclips":{"apps":["ABCDE12345.a"]},"other":7}"#, AppUse(services: ["appclips"])),
        (#"{"applinks":{"details":{"ABCDE12345.a":7}},"webcredentials":[]}"#, nil),
    ]

    @Test("rules, excluding rules and services of an app are counted", arguments: Self.cases)
    func use(file: String, expected: AppUse?) throws {
        #expect(try Association(parsing: Array(file.utf8)).use(of: AppID("ABCDE12345.a")) == expected)
    }

    @Test("the patterns of a rule are one line in the form of a URL")
    func patterns() {
        #expect(RuleFields().patterns == "")
        #expect(RuleFields(path: "/a/*", query: .whole("x=?"), fragment: "top").patterns == "/a/*?x=?#top")
        #expect(RuleFields(query: .items([("a", "1"), ("b", "*")])).patterns == "?a=1&b=*")
    }
}
