import AASA
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

@Suite("Replacements", .timeLimit(.minutes(5)))
struct ReplacementTests {
    private static let other = "ABCDE12345.com.example.other"

    private func make(_ test: PublishingUnderTest, in choice: NewRelease.Choice? = nil) async throws -> Replacement {
        let (old, new) = (try AppID(Sample.app), try AppID(Self.other))
        return try await test.write { try $0.createReplacement(of: old, with: new, in: choice, message: "new") }
    }

    private func end(_ replacement: Replacement, _ test: PublishingUnderTest) async throws -> Replacement {
        while try await test.worker.workOnce() {}
        return try await test.read { try $0.replacement(replacement.id) }
    }

    private func draft(_ host: Host, _ test: PublishingUnderTest) async throws -> StoredDraft {
        try await test.read { try $0.draft(host) }
    }

    @Test("entries, services and tests name the new app, each revision rises by one, and nothing is published")
    func replaced() async throws {
        try await withPublishing { test in
            let hosts = [try await test.addDomain("a"), try await test.addDomain("b"), try await test.addDomain("c")]
            var draft = Sample.draft()
            draft.services = [Draft.StringList(name: "webcredentials", values: [Self.other, Sample.app])]
            try await test.draft(hosts[1], draft)
            try await test.draft(hosts[2], Sample.draft(app: Self.other))
            let expectation = LinkTest(url: "/x", expected: .opens(try AppID(Sample.app)))
            try await test.write { _ = try $0.createTest(expectation, of: hosts[0]) }
            let before = try await [self.draft(hosts[0], test), self.draft(hosts[1], test), self.draft(hosts[2], test)]
            let ended = try await end(make(test), test)
            #expect(ended.state == .done)
            #expect((ended.total, ended.changed, ended.refused, ended.tests, ended.waiting) == (2, 2, 0, 1, 0))
            let after = try await [self.draft(hosts[0], test), self.draft(hosts[1], test), self.draft(hosts[2], test)]
            #expect(zip(before, after).map { $1.revision - $0.revision } == [1, 1, 0])
            #expect(after[0].draft.apps == [Self.other])
            #expect(after[1].draft.services[0].values == [Self.other])
            let tests = try await test.read { try $0.allTests(hosts[0]) }
            #expect(tests.map(\.test.expected) == [.opens(try AppID(Self.other))])
            #expect(try await test.read { try $0.publications(Page()).items.isEmpty })
            // What is kept beside the document follows: nothing names the old app any more.
            #expect(try await end(make(test), test).total == 0)
        }
    }

    @Test("what the gate would refuse is counted and named")
    func refused() async throws {
        try await withPublishing { test in
            let live = try await test.addDomain("live")
            try await test.goLive(live, path: "/1")
            _ = try await test.addDomain("new")
            let ended = try await end(make(test), test)
            #expect((ended.changed, ended.refused) == (2, 1))
            let refusals = try await test.read { try $0.refusals(of: ended.id) }
            #expect(refusals.map(\.host) == [live])
            #expect(refusals[0].failures[0]?["check"]?.string == "similarity")
        }
    }

    @Test("a choice restricts it, and an app is replaced once at a time")
    func chosen() async throws {
        try await withPublishing { test in
            let hosts = [try await test.addDomain("a"), try await test.addDomain("b")]
            let made = try await make(test, in: .hosts([hosts[1]]))
            await #expect(throws: StorageError.exists(kind: "replacement")) { try await make(test) }
            #expect(try await end(made, test).changed == 1)
            #expect(try await draft(hosts[0], test).draft.apps == [Sample.app])
        }
    }

    @Test("a draft that is edited meanwhile is read again, and changed once")
    func edited() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("a")
            let made = try await make(test)
            let candidates = try await test.read { try $0.candidates(of: made.id, after: nil, limit: 10) }
            try await test.draft(host, Sample.draft(path: "/edited"))
            let edited = try await draft(host, test)
            let stale = candidates.map { candidate in
                ReplacedDraft(
                    host: candidate.host, seenRevision: candidate.draft.revision, draft: Draft(), file: [],
                    failures: [])
            }
            try await test.write { try $0.write(stale, of: made) }
            #expect(try await draft(host, test).revision == edited.revision)
            _ = try await end(made, test)
            let after = try await draft(host, test)
            #expect(after.revision == edited.revision + 1)
            #expect(after.draft.entries.first?.rules?.first?.fields.path == "/edited")
        }
    }
}
