import AASA
import StrictJSON
import Testing

/// Tests of drafts that also support iOS 9 to 12.
@Suite struct LegacyOutputTests {
    private func draft(_ rules: JSONValue, more: JSONObject = [:]) throws -> Draft {
        var json: JSONObject = [
            "entries": [["id": "e", "apps": ["ABCDE12345.a"], "rules": rules]], "compatibility": "ios9",
            "substitutionVariables": ["food": ["pizza", "sushi"]],
        ]
        for member in more.members { json[member.name] = member.value }
        return try Draft(json: .object(json), makeID: DraftTests.ids())
    }

    private func paths(_ rules: JSONValue) throws -> [String] {
        let details = try draft(rules).association().root["applinks"]?["details"]
        return details?[0]?["paths"]?.array?.compactMap(\.string) ?? []
    }

    @Test("the file has the keys that iOS 9 to 12 require")
    func shape() throws {
        var draft = try draft([["path": "/buy/*"]])
        draft.entries[0].apps.append("ABCDE12345.b")
        #expect(
            JSONValue.object(draft.association().root)["applinks"] == [
                "apps": [], "substitutionVariables": ["food": ["pizza", "sushi"]],
                "details": [
                    [
                        "appIDs": ["ABCDE12345.a"], "appID": "ABCDE12345.a", "components": [["/": "/buy/*"]],
                        "paths": ["/buy/*", "/buy"],
                    ],
                    [
                        "appIDs": ["ABCDE12345.b"], "appID": "ABCDE12345.b", "components": [["/": "/buy/*"]],
                        "paths": ["/buy/*", "/buy"],
                    ],
                ],
            ])
        #expect(draft.legacyLosses.isEmpty)
    }

    @Test("the paths generated from rules open no further URLs")
    func rules() throws {
        #expect(
            try paths([["path": "/a"], ["path": "b/*", "exclude": true], [:]]) == [
                "/a/", "/a", "NOT /b/*", "NOT /b", "*",
            ])
        #expect(try paths([["path": "/$(food)/x"]]) == ["/pizza/x/", "/pizza/x", "/sushi/x/", "/sushi/x"])
        #expect(
            try paths([["path": "/$(lang)/x", "exclude": true], ["path": "/$(lang)/y"]]) == ["NOT /*/x/", "NOT /*/x"])
        #expect(
            try paths([["path": "/a", "query": ["q": "?*"]], ["path": "/b", "query": ["q": "*"]]]) == ["/b/", "/b"])
        #expect(try paths([["path": "/a", "fragment": "x", "exclude": true]]) == ["NOT /a/", "NOT /a"])
        #expect(try paths([["path": "/Ab1", "caseSensitive": false, "exclude": true]]) == ["NOT /??1/", "NOT /??1"])
        #expect(
            try paths([["path": "/a", "percentEncoded": false, "exclude": true]]) == ["NOT /a/", "NOT /a", "NOT *%*"])
        #expect(
            try paths([["path": "/a?", "percentEncoded": false], ["path": "/a*", "percentEncoded": false]]) == ["/a*"])
        #expect(try paths([["path": "/*/"], ["path": "*"], ["path": "/"]]) == ["/*/", "*", "/"])
        #expect(try paths(nil) == ["*"])
        #expect(try paths([]) == [])
    }

    @Test("each loss is reported with its rule")
    func losses() throws {
        let draft = try draft([
            ["id": "q", "path": "/a", "query": "x"], ["id": "x", "path": "/b", "fragment": "x", "exclude": true],
            ["id": "l", "path": "/$(lang)/"], ["id": "c", "path": "/c", "caseSensitive": false],
            ["id": "f", "path": "/f"],
        ])
        #expect(
            draft.legacyLosses.map { "\($0.rule) \($0.kind)" } == [
                "q leftOut", "x broadened", "l leftOut", "c narrowed",
            ])
        #expect(draft.legacyLosses.allSatisfy { $0.entry == "e" && $0.detail.hasSuffix(".") })
        var newer = draft
        newer.compatibility = .ios13
        #expect(newer.legacyLosses.isEmpty)
    }

    @Test("lint reports each rule with a loss at its place in the file, and nothing else about paths")
    func findings() throws {
        var draft = try draft([
            ["id": "q", "path": "/a", "query": "x"], ["id": "x", "path": "/b", "fragment": "x", "exclude": true],
            ["id": "l", "path": "/$(food)/$(lang)/"], ["id": "c", "path": "/c", "caseSensitive": false],
            ["id": "f", "path": "/f"],
        ])
        draft.entries[0].apps.append("ABCDE12345.b")
        draft.entries.append(
            Draft.Entry(
                id: "other", apps: ["ABCDE12345.c"],
                rules: [Rule(id: "o", fields: RuleFields(path: "/o", fragment: "y"))]))
        let file = draft.association().bytes
        let old: Set<FindingCode> = [.pathsDisagree, .pathsSayLess, .lostOnOldSystems]
        #expect(Association.lint(file).findings.contains { old.contains($0.code) })
        let found = draft.lint(file).findings.filter { old.contains($0.code) }
        #expect(found.allSatisfy { $0.code == .lostOnOldSystems })
        #expect(
            found.map(\.pointer.description) == [
                "/applinks/details/0/components/0", "/applinks/details/0/components/1",
                "/applinks/details/0/components/2", "/applinks/details/0/components/3",
                "/applinks/details/2/components/0",
            ])
        #expect(found.map { draft.place(at: $0.pointer)?.rule?.id } == ["q", "x", "l", "c", "o"])
        #expect(found.first?.message.hasPrefix("iOS 9 to 12 do not get this rule. ") == true)
        let columns = found.compactMap(\.position?.column)
        #expect(columns.count == found.count && columns == columns.sorted())
        draft.compatibility = .ios13
        let newer = draft.association().bytes
        #expect(draft.lint(newer) == Association.lint(newer))
    }

    @Test("the draft's rule is found by a pointer into the file")
    func places() throws {
        var draft = try draft([["id": "one", "path": "/a"], ["id": "two", "path": "/b"]])
        draft.entries[0].apps = ["ABCDE12345.a", "ABCDE12345.b", "ABCDE12345.a"]
        draft.entries.append(Draft.Entry(id: "last", apps: ["ABCDE12345.c"], rules: nil))
        let association = draft.association()
        let verdicts = association.evaluate("/b").apps
        #expect(verdicts.map(\.app) == ["ABCDE12345.a", "ABCDE12345.b", "ABCDE12345.c"])
        let places = verdicts.map { $0.decidedBy.flatMap { draft.place(at: $0) } }
        #expect(places.map { $0?.entry.id } == ["e", "e", "last"])
        #expect(places.map { $0?.rule?.id } == ["two", "two", nil])
        #expect(draft.place(at: JSONPointer(tokens: ["applinks", "details", "9"])) == nil)
    }

    @Test("for random drafts, iOS 9 opens no more than iOS 14, and support for iOS 9 changes nothing on iOS 14")
    func neverMore() {
        var random = SeededRandom(seed: 9)
        var (opened, openedBefore) = (0, 0)
        for number in 0..<1_500 {
            var draft = RandomFiles.draft(&random)
            draft.compatibility = .ios13
            let plain = CompiledAssociation(draft.association())
            draft.compatibility = .ios9
            let file = draft.association()
            let (later, earlier) = (CompiledAssociation(file), CompiledAssociation(file, os: .ios9))
            for _ in 0..<12 {
                let url = RandomFiles.url(&random)
                let (wanted, now, then) = (plain.evaluate(url), later.evaluate(url), earlier.evaluate(url))
                #expect(now.apps.map(\.app) == wanted.apps.map(\.app), "\(number)")
                #expect(now.apps.map(\.outcome) == wanted.apps.map(\.outcome), "\(number) \(url) \(draft.json)")
                #expect(then.ineligibility == nil, "\(number)")
                for verdict in then.apps where verdict.outcome == .opens {
                    let isOpened = wanted.apps.contains { $0.app == verdict.app && $0.outcome == .opens }
                    #expect(isOpened, "\(number) \(url) \(verdict) \(draft.json)")
                }
                opened += wanted.app == nil ? 0 : 1
                openedBefore += then.app == nil ? 0 : 1
            }
        }
        print("legacy output: \(opened) URLs opened on iOS 14, \(openedBefore) of them on iOS 9")
        #expect(openedBefore > opened / 8)
    }
}
