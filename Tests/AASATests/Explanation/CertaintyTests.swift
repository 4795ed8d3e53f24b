import AASA
import StrictJSON
import Testing

/// Tests of the certainty of outcomes.
@Suite struct CertaintyTests {
    /// Cases about a reported or inferred rule whose outcome is documented anyway, each with the reason.
    private static let agreed: [(ids: Set<String>, reason: String)] = [
        (
            [
                "d/path/double-star-only-deep", "d/path/empty-pattern-root", "d/path/two-q",
                "d/path/semicolon-param-star",
            ],
            "the pattern matches the path in either reading"
        ),
        (
            ["d/path/qstar-bare-root", "d/sub/undefined", "d/sub/empty-name", "d/sub/region-mixed"],
            "the pattern does not match in either reading"
        ),
        (["d/query/empty-dict"], "no item is required, so no reading can miss one"),
        (["d/query/plus-literal", "d/pct/encoded-star-literal"], "pattern and URL are the same text"),
        (["d/query/empty-items"], "the rule does not require an item without a name"),
        (
            ["d/query/bare-question-mark", "d/query/bare-question-mark-any", "d/frag/empty-fragment"],
            "an empty part and a missing part are the same text"
        ),
        (["d/pct/decoded-question-in-path"], "? matches any one character, here that one"),
        (["d/struct/applinks-array"], "the file names no app in either reading"),
        (["d/struct/bundle-case"], "the verdict is about the app as the file spells it; the case asks for another"),
        (["d/multi/same-app-twice-first", "d/multi/duplicate-in-appids"], "the first entry opens the URL already"),
        (["d/sub/lang-unknown"], "eng is not in the list that Apple documents (Locale.isoLanguageCodes)"),
        (["d/sub/backtrack-2"], "the first value that fits leads to a match, too"),
        (["d/sub/value-slash"], "the value is the same text in the URL and in the file"),
        (["d/sub/value-empty-list"], "there is no value that could match"),
        (["sys/ftp"], "standard http and https links are what is documented"),
    ]

    @Test("observed or documented cases are documented, others are not, except for the listed ones")
    func cases() throws {
        var table: [String: Int] = [:]
        for conformance in try ConformanceCase.all() {
            let evaluation = try #require(conformance.evaluation)
            let id = conformance.json["id"]?.string ?? "?"
            let stated = conformance.json["certainty"]?.string ?? "?"
            let found = evaluation.certainty?.rawValue ?? "?"
            table["\(stated) called \(found)", default: 0] += 1
            if ["observed", "documented"].contains(stated) {
                // `swcutil` compares patterns for any app ID. That no app has such an ID is only reported.
                let others = evaluation.uncertainties.filter { !$0.hasPrefix("An app ID counts even if") }
                #expect(others.isEmpty, "\(id)")
            }
            if ["reported", "inferred"].contains(stated) {
                let isAgreed = Self.agreed.contains { $0.ids.contains(id) }
                #expect((found == "documented") == isAgreed, "\(id): \(evaluation.uncertainties)")
            }
            if stated == "open" { #expect(found != "documented", "\(id)") }
            #expect(evaluation.uncertainties.isEmpty == (found == "documented"), "\(id)")
        }
        for (row, count) in table.sorted(by: { $0.key < $1.key }) { print("certainty: \(row): \(count)") }
    }

    private static func file(_ components: JSONValue) -> Association {
        Association(root: ["applinks": ["details": [["appIDs": ["ABCDE12345.a"], "components": components]]]])
    }

    private static let app: JSONValue = "ABCDE12345.com.example.app"

    @Test(
        "an outcome has the certainty \"reported\" if it depends on a reported type, key or app ID",
        arguments: [
            (["apps": [app], "details": "x"], "/x", .reported, "applinks.apps"),
            (["apps": [app], "details": []], "/x", .reported, "applinks.apps"),
            (["details": [["appIDs": [1, app], "components": [[:]]]]], "/x", .reported, "app IDs"),
            (["details": [["appIDs": app, "components": [[:]]]]], "/x", .reported, "app IDs"),
            (["details": [["appID": [app], "components": [[:]]]]], "/x", .reported, "app IDs"),
            (["details": ["x", ["appIDs": [app], "components": [[:]]]]], "/x", .reported, "Items of"),
            (["details": [["appIDs": [app], "components": [:], "paths": ["/b"]]]], "/b", .reported, "is not a list"),
            (
                ["details": [["appIDs": [app], "components": ["/": "/a"], "paths": ["/b"]]]], "/a", .reported,
                "instead of a list"
            ),
            (["details": [["appIDs": [app], "paths": "/b"]]], "/a", .reported, "instead of a list"),
            (["details": [["appIDs": ["ABC.com.example.app"], "components": [[:]]]]], "/x", .reported, "prefix"),
            (["details": [["appIDs": ["ABC.com.example.app"], "components": []]]], "/x", .documented, ""),
            (["Details": [["appIDs": [app], "components": [[:]]]]], "/x", .inferred, "letter case"),
            (["details": [["appids": [app], "components": [[:]]]]], "/x", .inferred, "letter case"),
            (["details": [["appIDs": [app], "paths": []]]], "/x", .inferred, "empty"),
            (["details": [["appIDs": [app], "paths": ["/x"]]]], "/x/", .inferred, "Slashes"),
            (["details": [["appIDs": [app], "paths": ["/x/"]]]], "/x/", .documented, ""),
            (
                [
                    "details": [
                        ["appIDs": [app], "components": [["/": "/x", "exclude": true]]],
                        ["appIDs": [app], "components": [["/": "/x"]]],
                    ]
                ], "/x", .reported, "several entries"
            ),
            (
                [
                    "details": [
                        ["appIDs": [app], "components": [["/": "/x", "exclude": true]]],
                        ["appIDs": [app], "components": [["/": "/y"]]],
                    ]
                ], "/x", .documented, ""
            ),
        ] as [(JSONValue, String, Certainty, String)])
    func shapes(applinks: JSONValue, url: String, certainty: Certainty, sentence: String) {
        let evaluation = Association(root: ["applinks": applinks]).evaluate(url)
        #expect(evaluation.certainty == certainty)
        #expect(evaluation.uncertainties.contains { $0.contains(sentence) } || sentence.isEmpty)
        #expect(evaluation.apps.allSatisfy { $0.certainty == certainty })
    }

    @Test(
        "an outcome is uncertain only if it depends on an open rule",
        arguments: [
            (["/": "/$(region)/x"], "/US/x", .documented), (["/": "/$(region)/x"], "/us/x", .reported),
            (["/": "/buy?*"], "/buyer", .documented), (["/": "/buy?*"], "/buy", .inferred),
            (["/": "/a\\b"], "/z", .documented), (["/": "/a\\b"], "/ax", .reported),
            (["?": ["a": "1"], "caseSensitive": false], "/?a=1", .documented),
            (["?": ["a": "1"], "caseSensitive": false], "/?A=1", .reported),
            (["/": "a"], "/b", .documented), (["/": "a"], "/a", .reported), (["/": "**"], "/", .reported),
            (["/": "**"], "/a", .documented), (["/": "/a", "percentEncoded": false], "/%FF", .documented),
            (["/": "*", "percentEncoded": false], "/%FF", .documented),
            (["/": "/%FF", "percentEncoded": false], "/%FF", .unknown),
            (["/": "/?", "percentEncoded": false], "/%FF", .unknown),
            (["?": ["a": "?*"], "percentEncoded": false], "/?a=%FF", .unknown),
            (["?": ["a": "*"], "percentEncoded": false], "/?a=%FF", .documented),
            (["?": ["a": "b=c"]], "/?a=b=c", .inferred), (["?": ["a": "b"]], "/?a=b=c", .inferred),
            (["?": ["a": "b*"]], "/?a=b=c", .documented),
            (["#": "a"], "/#a/", .inferred), (["#": "/a"], "/#/a/", .inferred), (["#": "a*"], "/#a/", .documented),
            (["?": "a=1"], "/?a=1/", .inferred), (["?": "a=1*"], "/?a=1/", .documented),
            (["?": ["a": "b&c"], "percentEncoded": false], "/?a=b%26c", .inferred),
            (["?": ["a[]": "1"], "percentEncoded": false], "/?a%5B%5D=1", .reported),
            (["/": "/a/?", "percentEncoded": false], "/a/%C3%A9", .reported),
            (["/": "/a/*", "percentEncoded": false], "/a/%C3%A9", .documented),
            (["/": "/a/?"], "/a/*", .reported), (["/": "/a/*"], "/a/*", .documented),
            (["/": "/$x"], "/$x", .reported), (["/": "/$x"], "/y", .documented),
            (["/": "/$(lang)/x"], "/enm/x", .inferred), (["/": "/$(lang)/x"], "/en/x", .documented),
            (["/": "/$(region)/$(region)"], "/US/CA", .inferred),
            (["/": "/$(region)/$(region)"], "/US/US", .documented),
            (["/": "/$(digit)$(digit)"], "/42", .documented),
            (["/": 5], "/", .reported), (["/": "/a"], "/a b", .documented), (["/": "/a%20b"], "/a b", .inferred),
        ] as [(JSONValue, String, Certainty)])
    func restsOn(component: JSONValue, url: String, certainty: Certainty) {
        let evaluation = Self.file([component]).evaluate(url)
        #expect(evaluation.certainty == certainty)
        #expect(evaluation.apps.map(\.certainty) == [certainty])
        #expect(evaluation.uncertainties.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("an uncertainty about one app does not affect another")
    func perApp() {
        let file = Association(root: [
            "applinks": [
                "details": [
                    ["appIDs": ["ABCDE12345.a"], "components": [["/": "/x"]]], ["appIDs": ["ABCDE12345.b"]],
                    ["appIDs": ["ABCDE12345.a"], "components": [["/": "/y"]]],
                ]
            ]
        ])
        let first = file.evaluate("/x")
        #expect(first.apps.map(\.certainty) == [.documented, .reported])
        #expect((first.app, first.certainty) == ("ABCDE12345.a", .documented))
        let second = file.evaluate("/y")
        #expect(second.apps.map(\.certainty) == [.reported, .reported])
        #expect(second.uncertainties.count == 2)
    }
}
