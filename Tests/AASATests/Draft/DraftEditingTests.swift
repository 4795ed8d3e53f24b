import AASA
import StrictJSON
import Testing

@Suite struct DraftEditingTests {
    private func draft() throws -> Draft {
        let json: JSONValue = [
            "entries": [
                ["id": "e1", "apps": [], "rules": [["id": "a"], ["id": "b"], ["id": "c"]]],
                ["id": "e2", "apps": [], "rules": nil],
            ]
        ]
        return try Draft(json: json, makeID: DraftTests.ids())
    }

    private func rules(_ draft: Draft) -> [[String]] { draft.entries.map { ($0.rules ?? []).map(\.id) } }

    @Test("a rule is found with its entry and position")
    func find() throws {
        let draft = try draft()
        let found = try #require(draft.rule("b"))
        #expect((found.rule.id, found.entry, found.position) == ("b", "e1", 1))
        #expect(draft.rule("x") == nil)
        #expect(draft.allRules.map(\.rule.id) == ["a", "b", "c"])
    }

    @Test("a rule is added at a position, by default at the end, and its entry becomes restricted")
    func add() throws {
        var draft = try draft()
        try draft.addRule(Rule(id: "x"), entry: "e1", position: 0)
        try draft.addRule(Rule(id: "y"), entry: "e1")
        try draft.addRule(Rule(id: "z"), entry: "e2")
        #expect(rules(draft) == [["x", "a", "b", "c", "y"], ["z"]])
        #expect(throws: DraftError.duplicateID("a")) { try draft.addRule(Rule(id: "a"), entry: "e2") }
        #expect(throws: DraftError.entryRequired(entries: 2)) { try draft.addRule(Rule(id: "q")) }
        #expect(throws: DraftError.entryNotFound("e9")) { try draft.addRule(Rule(id: "q"), entry: "e9") }
        #expect(throws: DraftError.positionOutOfRange(last: 1)) {
            try draft.addRule(Rule(id: "q"), entry: "e2", position: 2)
        }
        #expect(throws: DraftError.positionOutOfRange(last: 1)) {
            try draft.addRule(Rule(id: "q"), entry: "e2", position: -1)
        }
        var empty = Draft()
        #expect(throws: DraftError.entryRequired(entries: 0)) { try empty.addRule(Rule(id: "q")) }
    }

    @Test("a rule moves within its entry and to another one; a failed move changes nothing")
    func move() throws {
        var draft = try draft()
        try draft.moveRule("a", position: 2)
        #expect(rules(draft) == [["b", "c", "a"], []])
        try draft.moveRule("a", position: 0)
        #expect(rules(draft) == [["a", "b", "c"], []])
        try draft.moveRule("b", entry: "e2")
        #expect(rules(draft) == [["a", "c"], ["b"]])
        #expect(throws: DraftError.positionOutOfRange(last: 1)) { try draft.moveRule("a", position: 2) }
        #expect(throws: DraftError.ruleNotFound("x")) { try draft.moveRule("x") }
        #expect(throws: DraftError.entryNotFound("x")) { try draft.moveRule("a", entry: "x") }
        #expect(rules(draft) == [["a", "c"], ["b"]])
    }

    @Test("a rule is removed, and an entry that loses its last rule matches no URL")
    func remove() throws {
        var draft = try draft()
        for id in ["b", "a", "c"] { #expect(try draft.removeRule(id).id == id) }
        #expect(draft.entries[0].rules == [])
        #expect(throws: DraftError.ruleNotFound("a")) { try draft.removeRule("a") }
    }

    @Test("a patch keeps absent fields, clears those with null and sets the others")
    func patch() throws {
        var draft = try draft()
        _ = try draft.updateRule("a") { rule in
            rule.path = "/old"
            rule.comment = "old"
            rule.exclude = true
            rule.extras = ["k": 1]
        }
        let json: JSONValue = [
            "path": "/new", "comment": nil, "query": ["b": "1", "a": "2"], "extras": nil, "position": 2,
        ]
        let rule = try draft.patchRule("a", try RulePatch(json: json))
        #expect(rule.json == ["id": "a", "path": "/new", "query": ["a": "2", "b": "1"], "exclude": true])
        #expect(rules(draft) == [["b", "c", "a"], []])
        let before = draft
        #expect(throws: DraftError.positionOutOfRange(last: 2)) {
            try draft.patchRule("a", try RulePatch(json: ["path": "/x", "position": 3]))
        }
        #expect(draft == before)
    }

    @Test(
        "a patch with a fault is refused",
        arguments: [
            (["id": "x"], "/id unknown_key"), (["position": nil], "/position not_nullable"),
            (["position": -1], "/position out_of_range"),
            (["exclude": "yes"], "/exclude wrong_type"), (["entry": ""], "/entry invalid_id"),
            (["extras": ["?": 1]], "/extras reserved_key"),
            (["caseSensitve": true], "/caseSensitve unknown_key"),
        ] as [(JSONValue, String)])
    func patchFaults(json: JSONValue, fault: String) {
        let faults = #expect(throws: JSONFaults.self) { try RulePatch(json: json) }
        #expect(faults?.faults.map { "\($0.pointer) \($0.code)" } == [fault])
    }

    @Test("a new rule is read with the place to add it")
    func newRule() throws {
        let new = try NewRule(json: ["path": "/a", "entry": "e1", "position": 1], makeID: DraftTests.ids())
        #expect(new.rule.json == ["id": "n1", "path": "/a"])
        #expect((new.entry, new.position) == ("e1", 1))
        #expect(throws: JSONFaults.self) { try NewRule(json: ["pathh": 1], makeID: DraftTests.ids()) }
    }
}
