import AASA
import StrictJSON
import Testing

/// Tests of loading an earlier version into the draft.
@Suite struct RestoringTests {
    private func restored(_ old: Draft, over current: Draft) -> Draft {
        Draft.restoring(old.association(), over: current, makeID: DraftTests.ids())
    }

    @Test("the restored draft generates the same file, whatever the current draft is")
    func sameFile() {
        var random = SeededRandom(seed: 20)
        for _ in 0..<2_000 {
            let (old, current) = (draft(&random), draft(&random))
            let file = old.association()
            for current in [current, old, Draft()] {
                #expect(restored(old, over: current).association().bytes == file.bytes, "\(text(old))")
            }
        }
    }

    @Test("restoring a draft's own file keeps its IDs, comments and entries with several apps")
    func itself() {
        var random = SeededRandom(seed: 21)
        for _ in 0..<2_000 {
            let old = draft(&random)
            #expect(restored(old, over: old) == old, "\(text(old))")
        }
    }

    @Test("rules that the current draft has keep their IDs and comments")
    func identity() throws {
        let old = try Draft(
            json: ["entries": [["id": "e", "apps": ["ABCDE12345.a"], "rules": [["path": "/a"], ["path": "/b"]]]]],
            makeID: DraftTests.ids())
        var current = old
        current.entries[0].rules = [
            Rule(id: "bad", fields: RuleFields(path: "/bad")),
            Rule(id: "b", fields: RuleFields(path: "/b", comment: "why")),
        ]
        let result = restored(old, over: current)
        #expect(result.entries[0].rules?[1] == current.entries[0].rules?[1])
        #expect(result.entries.map(\.id) == ["e"])
        #expect(result.entries[0].rules?.map(\.path) == ["/a", "/b"])
    }

    private func replaced(_ current: Draft, by file: String) throws -> Draft {
        Draft.importing(try Association(parsing: Array(file.utf8)), makeID: DraftTests.ids()).draft.replacing(current)
    }

    @Test("importing a draft's own file over it keeps its IDs, its comments and the file")
    func importedAgain() {
        var random = SeededRandom(seed: 22)
        for _ in 0..<2_000 {
            let old = draft(&random)
            let again = Draft.importing(old.association(), makeID: DraftTests.ids()).draft.replacing(old)
            #expect(again.association() == old.association(), "\(text(old))")
            #expect(again.entries.map(\.id) == old.entries.map(\.id), "\(text(old))")
            for (entry, known) in zip(again.entries, old.entries) where known.rules != nil {
                #expect(entry.rules == known.rules, "\(text(old))")
            }
        }
    }

    @Test("an entry whose apps were edited in the file keeps its ID, and its rules theirs with their comments")
    func editedApps() throws {
        let current = try Draft(
            json: [
                "entries": [
                    ["id": "e", "apps": ["abcde12345.a"], "rules": [["id": "r", "path": "/a", "comment": "why"]]],
                    ["id": "f", "apps": ["ABCDE12345.b"], "rules": [["id": "s", "path": "/b"]]],
                ]
            ], makeID: DraftTests.ids())
        func file(_ app: String, _ path: String) -> String {
            """
            {"applinks":{"details":[{"appIDs":["\(app)"],"components":[{"/":"\(path)"}]},
            {"appIDs":["ABCDE12345.b"],"components":[{"/":"/b"}]}]}}
            """
        }
        let mended = try replaced(current, by: file("ABCDE12345.a", "/a"))
        #expect(mended.entries.map(\.id) == ["e", "f"])
        #expect(mended.entries[0].rules == current.entries[0].rules)
        let other = try replaced(current, by: file("ABCDE12345.c", "/other"))
        #expect(other.entries[0].id != "e" && other.entries[1].id == "f")
    }

    @Test("a rule that was edited in the file keeps its ID and comment, unless most rules are new")
    func edited() throws {
        var current = try Draft(
            json: ["entries": [["id": "e", "apps": ["ABCDE12345.a"], "rules": [["path": "/a"], ["path": "/b"]]]]],
            makeID: DraftTests.ids())
        current.entries[0].rules = [
            Rule(id: "a", fields: RuleFields(path: "/a", comment: "first")),
            Rule(id: "b", fields: RuleFields(path: "/b", comment: "second")),
        ]
        func rules(_ paths: String...) throws -> [String] {
            let components = paths.map { #"{"/":"\#($0)"}"# }.joined(separator: ",")
            let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[\#(components)]}]}}"#
            return try replaced(current, by: file).entries[0].rules?.map { rule in
                ["a", "b"].contains(rule.id) ? "\(rule.id): \(rule.path ?? "") \(rule.comment ?? "-")" : rule.path ?? ""
            } ?? []
        }
        #expect(try rules("/b", "/a") == ["b: /b second", "a: /a first"])
        #expect(try rules("/a", "/edited") == ["a: /a first", "b: /edited second"])
        #expect(try rules("/a") == ["a: /a first"])
        #expect(try rules("/new", "/a", "/b") == ["/new", "a: /a first", "b: /b second"])
        #expect(try rules("/other", "/else") == ["/other", "/else"])
    }

    @Test("comments that the draft publishes are those of the file")
    func publishedComments() throws {
        var current = try Draft(
            json: ["entries": [["id": "e", "apps": ["ABCDE12345.a"], "rules": [["path": "/a"]]]]],
            makeID: DraftTests.ids())
        current.entries[0].rules?[0].comment = "old"
        current.publishComments = true
        let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/a"}]}]}}"#
        let result = try replaced(current, by: file)
        #expect(result.publishComments)
        #expect(result.entries[0].rules?[0].comment == nil)
        #expect(result.entries[0].rules?[0].id == current.entries[0].rules?[0].id)
    }

    private func text(_ draft: Draft) -> String { String(decoding: draft.json.bytes(), as: UTF8.self) }

    private func draft(_ random: inout SeededRandom) -> Draft {
        var draft = RandomFiles.draft(&random)
        draft.compatibility = Bool.random(using: &random) ? .ios9 : .ios13
        draft.publishComments = Bool.random(using: &random)
        for index in draft.entries.indices {
            for rule in (draft.entries[index].rules ?? []).indices where Bool.random(using: &random) {
                draft.entries[index].rules?[rule].comment = "note \(rule)"
            }
        }
        return draft
    }
}
