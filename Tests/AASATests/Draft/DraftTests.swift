import AASA
import StrictJSON
import Testing

@Suite struct DraftTests {
    /// Makes the IDs "n1", "n2", …
    static func ids() -> () -> String {
        var count = 0
        return {
            count += 1
            return "n\(count)"
        }
    }

    private static let example: JSONValue = [
        "entries": [
            [
                "id": "e1", "apps": ["ABCDE12345.com.example.app"],
                "rules": [
                    ["id": "r1", "path": "/help/website/*", "exclude": true, "comment": "stays on the web"],
                    ["id": "r2", "path": "/help/*", "query": ["articleNumber": "????"]],
                    ["id": "r3", "path": "/buy/*", "caseSensitive": false],
                ],
                "defaults": [:], "extras": [:],
            ]
        ],
        "defaults": [:], "substitutionVariables": ["food": ["burrito", "sushi"]],
        "services": ["webcredentials": ["ABCDE12345.com.example.app"]], "compatibility": "ios13",
        "publishComments": false,
        "extras": [:],
    ]

    private func draft(_ json: JSONValue) throws(JSONFaults) -> Draft { try Draft(json: json, makeID: Self.ids()) }

    private func faults(_ json: JSONValue) -> [String] {
        do {
            _ = try draft(json)
            return []
        } catch {
            return error.faults.map { "\($0.pointer) \($0.code)" }
        }
    }

    @Test("writing a draft that was read gives the same JSON")
    func roundTrip() throws {
        #expect(try draft(Self.example).json == Self.example)
        let full: JSONValue = [
            "entries": [
                [
                    "id": "a", "apps": [], "rules": nil, "defaults": ["path": "/x", "extras": ["k": 1]],
                    "extras": ["note": [1]],
                ],
                ["id": "b", "apps": ["odd"], "rules": [], "defaults": [:], "extras": [:]],
                [
                    "id": "c", "apps": ["x"],
                    "rules": [
                        [
                            "id": "d", "query": "a=*", "fragment": "f", "exclude": false, "percentEncoded": true,
                            "extras": ["z": nil],
                        ]
                    ],
                    "defaults": [:], "extras": [:],
                ],
            ],
            "defaults": ["exclude": true, "comment": "c"], "substitutionVariables": ["a": [], "b": ["", "x"]],
            "services": [:],
            "compatibility": "ios13", "publishComments": true, "extras": ["applinks": ["odd": 1], "top": "x"],
        ]
        #expect(try draft(full).json == full)
    }

    @Test("missing IDs are made, given ones are kept, and all are different")
    func ids() throws {
        let json: JSONValue = ["entries": [["apps": [], "rules": [["path": "/a"], ["id": "n2"], [:]]]]]
        let draft = try draft(json)
        #expect(draft.entries.map(\.id) == ["n1"])
        #expect(draft.allRules.map(\.rule.id) == ["n3", "n2", "n4"])
    }

    @Test(
        "all faults are reported at once, each with its pointer",
        arguments: [
            ([], [" wrong_type"]), (["entris": []], ["/entris unknown_key"]),
            (["entries": nil], ["/entries wrong_type"]),
            (["entries": [["apps": ["x"]]]], ["/entries/0/rules required"]),
            (["entries": [["rules": []]]], ["/entries/0/apps required"]),
            (
                ["entries": [["apps": [""], "rules": [1]]]],
                ["/entries/0/apps/0 too_short", "/entries/0/rules/0 wrong_type"]
            ),
            (
                ["entries": [["apps": [.string(String(repeating: "é", count: 200))], "rules": nil]]],
                ["/entries/0/apps/0 too_long"]
            ),
            (
                [
                    "entries": [
                        ["apps": [], "rules": [["id": "a b", "path": 1, "paht": "x"], ["id": "x"], ["id": "x"]]]
                    ]
                ],
                [
                    "/entries/0/rules/0/id invalid_id", "/entries/0/rules/0/path wrong_type",
                    "/entries/0/rules/0/paht unknown_key", "/entries/0/rules/2/id duplicate_id",
                ]
            ),
            (
                ["entries": [["id": "x", "apps": [], "rules": []], ["id": "x", "apps": [], "rules": []]]],
                ["/entries/1/id duplicate_id"]
            ),
            (["entries": [["apps": [], "rules": [["query": ["a": 1]]]]]], ["/entries/0/rules/0/query/a wrong_type"]),
            (["entries": [["apps": [], "rules": [["query": 1]]]]], ["/entries/0/rules/0/query wrong_type"]),
            (
                ["entries": [["apps": [], "rules": [["extras": ["/": "x"]]]]]],
                ["/entries/0/rules/0/extras reserved_key"]
            ),
            (["entries": [["apps": [], "rules": [], "extras": ["paths": []]]]], ["/entries/0/extras reserved_key"]),
            (["defaults": ["id": "x"]], ["/defaults/id unknown_key"]),
            (["services": ["applinks": []]], ["/services/applinks reserved_key"]),
            (["services": ["webcredentials": ["x"]], "extras": ["webcredentials": 1]], ["/extras reserved_key"]),
            (["extras": ["applinks": 1]], ["/extras wrong_type"]),
            (["extras": ["applinks": ["details": []]]], ["/extras reserved_key"]),
            (["compatibility": "ios8"], ["/compatibility invalid_choice"]),
            (["substitutionVariables": ["a": "x"]], ["/substitutionVariables/a wrong_type"]),
            (
                ["entries": [["apps": [], "rules": [["path": .string(String(repeating: "a", count: 4_097))]]]]],
                ["/entries/0/rules/0/path too_long"]
            ),
        ] as [(JSONValue, [String])])
    func faultsAtOnce(json: JSONValue, expected: [String]) { #expect(faults(json) == expected) }

    @Test("a draft has at most the maximum numbers of entries and rules")
    func limits() {
        let entry: JSONValue = ["apps": [], "rules": []]
        #expect(faults(["entries": .array(Array(repeating: entry, count: 1_000))]).isEmpty)
        #expect(faults(["entries": .array(Array(repeating: entry, count: 1_001))]) == ["/entries too_many"])
        func rules(_ count: Int) -> JSONValue { ["apps": [], "rules": .array(Array(repeating: [:], count: count))] }
        #expect(faults(["entries": [rules(5_000), rules(5_000)]]).isEmpty)
        #expect(faults(["entries": [rules(5_000), rules(5_001)]]) == ["/entries too_many"])
    }

    @Test("a client can send back the revision that it read")
    func revision() throws { #expect(try draft(["revision": 7]).json == draft([:]).json) }

    @Test("the file has the comments of rules only if the draft publishes them")
    func generation() throws {
        var draft = try draft(Self.example)
        let expected =
            #"{"applinks":{"substitutionVariables":{"food":["burrito","sushi"]},"details":[{"appIDs":["ABCDE12345.com.example.app"],"#
            + #""components":[{"/":"/help/website/*","exclude":true},{"/":"/help/*","?":{"articleNumber":"????"}},"#
            + #"{"/":"/buy/*","caseSensitive":false}]}]},"webcredentials":{"apps":["ABCDE12345.com.example.app"]}}"#
        #expect(String(decoding: draft.association().bytes, as: UTF8.self) == expected)
        draft.publishComments = true
        #expect(
            draft.association().root["applinks"]?[try #require(JSONPointer("/details/0/components/0/comment"))]
                == "stays on the web")
        #expect(Draft().association().bytes == Array("{}".utf8))
    }

    @Test("nil rules give no components, an empty list gives empty ones, and unknown keys keep their places")
    func generationOfTheRest() throws {
        let draft = try draft([
            "entries": [
                ["apps": ["ABCDE12345.a"], "rules": nil, "extras": ["x": 1]],
                ["apps": ["ABCDE12345.b"], "rules": [], "defaults": ["caseSensitive": false]],
            ],
            "defaults": ["percentEncoded": false], "extras": ["applinks": ["y": 2], "z": 3],
        ])
        let expected =
            #"{"applinks":{"defaults":{"percentEncoded":false},"details":[{"appIDs":["ABCDE12345.a"],"x":1},"#
            + #"{"appIDs":["ABCDE12345.b"],"defaults":{"caseSensitive":false},"components":[]}],"y":2},"z":3}"#
        #expect(String(decoding: draft.association().bytes, as: UTF8.self) == expected)
    }

    @Test("an app is replaced in every entry and service, and none has it twice")
    func replacement() throws {
        var draft = try draft([
            "entries": [["apps": ["a", "b"], "rules": nil], ["apps": ["c"], "rules": nil]],
            "services": ["webcredentials": ["a"]],
        ])
        #expect(draft.replaceApp("a", with: "b") == 2)
        #expect(draft.entries.map(\.apps) == [["b"], ["c"]])
        #expect(draft.services.map(\.values) == [["b"]])
        #expect(draft.replaceApp("a", with: "z") == 0)
        #expect(draft.apps == ["b", "c"])
    }

    @Test("drafts with canonically equivalent texts are not equal")
    func bytes() throws {
        func path(_ text: String) throws(JSONFaults) -> Draft {
            try draft(["entries": [["id": "e", "apps": [], "rules": [["id": "r", "path": .string(text)]]]]])
        }
        #expect(try path("/\u{E9}") != path("/e\u{301}"))
    }
}
