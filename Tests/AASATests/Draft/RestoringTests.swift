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
