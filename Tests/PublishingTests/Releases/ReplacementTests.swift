import AASA
import Postgres
import StrictJSON
import TestSupport
import Testing

@testable import Publishing
@testable import Storage

@Suite("Replacements", .timeLimit(.minutes(5)))
struct ReplacementTests {
    private static let other = "ABCDE12345.com.example.other"

    private func make(_ test: PublishingUnderTest, in choice: DomainChoice? = nil) async throws -> Replacement {
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

    @Test("entries, services and tests get the new app, each revision increases by one, and nothing is published")
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
            // The tables beside the document follow: nothing names the old app any more.
            #expect(try await end(make(test), test).total == 0)
        }
    }

    @Test("drafts that fail the gate are counted and named, and the replaced app itself is not a fault")
    func refused() async throws {
        try await withPublishing { test in
            let live = try await test.addDomain("live")
            try await test.goLive(live, path: "/1")
            let merged = try await test.addDomain("merged")
            var draft = Sample.draft()
            draft.entries[0].apps.append(Self.other)
            try await test.draft(merged, draft)
            _ = try await test.publish(merged)
            while try await test.worker.workOnce() {}
            let ended = try await end(make(test), test)
            #expect((ended.changed, ended.refused) == (2, 1))
            let refusals = try await test.read { try $0.refusals(of: ended.id) }
            #expect(refusals.map(\.host) == [merged])
            #expect(refusals[0].failures[0]?["check"]?.string == "similarity")
        }
    }

    @Test("a changed test adds its event, even if the domain's draft does not change")
    func changedTests() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("tested")
            let expectation = LinkTest(url: "/x", expected: .opens(try AppID(Sample.app)))
            let saved = try await test.write { try $0.createTest(expectation, of: host) }
            try await test.draft(host, Sample.draft(app: Self.other))
            let ended = try await end(make(test), test)
            #expect((ended.changed, ended.tests) == (0, 1))
            let told = try await test.write { tenant in
                _ = try tenant.placeEvents()
                return try tenant.newestEvents(Page(), EventFilter(kinds: [.testChanged])).items
            }
            #expect(told.map(\.host) == [host])
            #expect(told[0].detail["test"]?.string == saved.id.description)
            #expect(told[0].detail["replacement"]?.string == ended.id.description)
        }
    }

    @Test("a replacement with too many domains is refused, and changes nothing")
    func tooMany() async throws {
        try await withPublishing { test in
            for name in ["a", "b"] { _ = try await test.addDomain(name) }
            let (old, new) = (try AppID(Sample.app), try AppID(Self.other))
            await #expect(throws: UnusableChoice(faults: [.tooManyDrafts(1)])) {
                try await test.write {
                    _ = try $0.createReplacement(of: old, with: new, in: nil, message: "", maximum: 1)
                }
            }
            #expect(try await test.store.read { try $0.jobCount() } == 0)
            #expect(try await end(make(test), test).changed == 2)
        }
    }

    private func publish(_ host: Host, _ test: PublishingUnderTest) async throws -> GateReport.Check? {
        do {
            let publication = try await test.publish(host)
            while try await test.worker.workOnce() {}
            #expect(try await test.now(publication).state == .live)
            let check = publication.report["checks"]?.array?.last
            let outcome = check?["outcome"]?.string.flatMap { GateReport.Check.Outcome(rawValue: $0) }
            return GateReport.Check(
                name: .similarity, outcome: try #require(outcome), detail: check?["detail"]?.string ?? "")
        } catch let refusal as GateRefusal {
            return refusal.report.checks.last
        }
    }

    @Test("a replaced app needs no override, in a publication and in a release, and the report mentions it")
    func accountedFor() async throws {
        try await withPublishing { test in
            let hosts = [try await test.addDomain("a"), try await test.addDomain("b")]
            for host in hosts { try await test.goLive(host, path: "/1") }
            #expect(try await end(make(test), test).refused == 0)
            let check = try #require(try await publish(hosts[0], test))
            #expect(check.outcome == .informative)
            #expect(check.detail.contains("\(Sample.app) was replaced with \(Self.other) on 2"))
            let release = try await test.publisher.release(
                NewRelease(of: .hosts([hosts[1]])), as: test.organization, by: PublishingUnderTest.author)
            while try await test.worker.workOnce() {}
            #expect(try await test.read { try $0.release(release.id) }.state == .live)
            // From now on there is nothing new to publish.
            try await test.draft(hosts[0], Sample.draft(app: Self.other, path: "/2"))
            #expect(try await publish(hosts[0], test)?.outcome == .passed)
        }
    }

    @Test("a replacement explains only its own changes since the live version was saved, and none once undone")
    func notAccountedFor() async throws {
        try await withPublishing { test in
            let hosts = [
                try await test.addDomain("byhand"), try await test.addDomain("before"),
                try await test.addDomain("undone"),
            ]
            let (old, new) = (try AppID(Sample.app), try AppID(Self.other))
            // It was before the live version. The old app was put back by hand, published, and removed by hand.
            #expect(try await end(make(test, in: .hosts([hosts[1]])), test).changed == 1)
            for host in hosts { try await test.goLive(host, path: "/1") }
            #expect(try await end(make(test, in: .hosts([hosts[2]])), test).changed == 1)
            let back = try await test.write {
                try $0.createReplacement(of: new, with: old, in: .hosts([hosts[2]]), message: "")
            }
            #expect(try await end(back, test).changed == 1)
            for host in hosts {
                try await test.draft(host, Sample.draft(app: Self.other, path: "/2"))
                let check = try await publish(host, test)
                #expect(check?.outcome == .failed, "\(host)")
                #expect(check?.detail == "This file lacks apps of the live file: \(Sample.app).", "\(host)")
            }
        }
    }

    @Test("a replacement of another organization explains nothing")
    func ofOthers() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("a")
            try await test.goLive(host, path: "/1")
            let other = PublishingUnderTest(
                database: test.database, store: test.store, organization: ID<Organization>())
            _ = try await other.write { try $0.createOrganization(slug: "other", name: "Other") }
            #expect(try await other.addDomain("a", claimed: false) == host)
            for _ in 0..<5 { try await other.draft(host, Sample.draft()) }
            #expect(try await end(make(other), other).changed == 1)
            try await test.draft(host, Sample.draft(app: Self.other))
            #expect(try await publish(host, test)?.outcome == .failed)
        }
    }

    @Test("a replacement can be limited to a choice of domains, and an app has one running replacement at a time")
    func chosen() async throws {
        try await withPublishing { test in
            let hosts = [try await test.addDomain("a"), try await test.addDomain("b")]
            let made = try await make(test, in: .hosts([hosts[1]]))
            await #expect(throws: StorageError.exists(kind: "replacement")) { try await make(test) }
            #expect(try await end(made, test).changed == 1)
            #expect(try await draft(hosts[0], test).draft.apps == [Sample.app])
        }
    }

    @Test("large drafts are read a few at a time, and all are changed")
    func large() async throws {
        try await withPublishing { test in
            var hosts: [Host] = []
            for name in ["a", "b", "c"] {
                hosts.append(try await test.addDomain(name))
                var draft = Sample.draft()
                let comment = String(repeating: "c", count: 4_000)
                let rules = (0..<400).map { number in
                    Rule(id: "r\(number)", fields: RuleFields(path: "/\(number)", comment: comment))
                }
                draft.entries[0].rules = rules
                try await test.draft(hosts.last!, draft)
            }
            let made = try await make(test)
            let read = try await test.read { try $0.candidates(of: made.id, after: nil, limit: 10) }
            #expect(read.map(\.host) == Array(hosts.prefix(2)))
            #expect(try await end(made, test).changed == 3)
        }
    }

    @Test("a draft that is edited during the replacement is read again, and changed once")
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
