import AASA
import StrictJSON
import Testing

/// How certain outcomes are said to be.
@Suite struct CertaintyTests {
    @Test("what is observed or documented is called documented; the table counts the rest")
    func cases() throws {
        var table: [String: Int] = [:]
        for conformance in try ConformanceCase.all() {
            let evaluation = try #require(conformance.evaluation)
            let id = conformance.json["id"]?.string ?? "?"
            let stated = conformance.json["certainty"]?.string ?? "?"
            let found = evaluation.certainty?.rawValue ?? "?"
            table["\(stated) called \(found)", default: 0] += 1
            if ["observed", "documented"].contains(stated) {
                #expect(found == "documented", "\(id): \(evaluation.uncertainties)")
            }
            if stated == "open" { #expect(found != "documented", "\(id)") }
            #expect(evaluation.uncertainties.isEmpty == (found == "documented"), "\(id)")
        }
        for (row, count) in table.sorted(by: { $0.key < $1.key }) { print("certainty: \(row): \(count)") }
    }

    private static func file(_ components: JSONValue) -> Association {
        Association(root: ["applinks": ["details": [["appIDs": ["ABCDE12345.a"], "components": components]]]])
    }

    @Test(
        "an outcome is uncertain only where the open rule decides it",
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
            (["/": 5], "/", .reported), (["/": "/a"], "/a b", .documented), (["/": "/a%20b"], "/a b", .inferred),
        ] as [(JSONValue, String, Certainty)])
    func restsOn(component: JSONValue, url: String, certainty: Certainty) {
        let evaluation = Self.file([component]).evaluate(url)
        #expect(evaluation.certainty == certainty)
        #expect(evaluation.apps.map(\.certainty) == [certainty])
        #expect(evaluation.uncertainties.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("a doubt about one app is none about another")
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
