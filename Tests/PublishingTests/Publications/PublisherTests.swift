import AASA
import Postgres
import Storage
import StrictJSON
import Testing

@testable import Publishing

@Suite("Publisher", .timeLimit(.minutes(3)))
struct PublisherTests {
    /// Numbers of rows that a refused request must not have changed.
    private func counts(_ test: PublishingUnderTest) async throws -> [String: Int] {
        try await test.asSuperuser { database in
            var counts: [String: Int] = [:]
            for table in ["versions", "blobs", "publications", "jobs", "audit_entries"] {
                counts[table] = try database.query("select 1 from \(identifier: table)").count
            }
            counts["last version"] = try database.first("select sum(last_version) as n from domains")?.decode("n")
            return counts
        }
    }

    @Test("if the gate refuses, nothing is written, no number is used, and the report has every fault")
    func refusal() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www", claimed: false)
            try await test.draft(host, Sample.draft(app: "no app ID"))
            let before = try await counts(test)
            let refusal = await #expect(throws: GateRefusal.self) { try await test.publish(host) }
            let failed = refusal?.report.checks.filter { $0.outcome == .failed }.map(\.name)
            #expect(failed == [.lint, .verified])
            await #expect(throws: GateRefusal.self) { try await test.freeze(host) }
            #expect(try await counts(test) == before)
            try await test.draft(host, Sample.draft())
            #expect(try await test.freeze(host).number == 1)
        }
    }

    @Test("a publication saves the draft as a version, is recorded with its report, and waits for a worker")
    func publishing() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let made = try await test.publish(host, Publisher.Request(message: "first"))
            #expect((made.version, made.state, made.message) == (1, .scheduled, "first"))
            #expect(made.madeAgainst == nil)
            #expect(made.requester == PublishingUnderTest.author)
            #expect(made.report["passed"]?.bool == true)
            let version = try await test.read { try $0.version(1, of: host) }
            #expect(version.report == made.report)
            #expect(version.draftRevision == 2)
            #expect(version.author == PublishingUnderTest.author)
            #expect(try await test.read { try $0.file(ofVersion: 1, of: host) } == Sample.draft().association().bytes)
            #expect(try await test.store.read { try $0.jobCount() } == 1)
            #expect(try await test.read { try $0.domain(host).live } == nil)
        }
    }

    @Test("only the expected revision of the draft is saved")
    func revisions() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let before = try await counts(test)
            await #expect(throws: StorageError.revisionMoved(current: 2)) {
                try await test.publish(host, Publisher.Request(expectedRevision: 1))
            }
            #expect(try await counts(test) == before)
            #expect(try await test.publish(host, Publisher.Request(expectedRevision: 2)).version == 1)
        }
    }

    @Test("an older version goes live again even if the current rules would refuse it, without a new number")
    func goingBack() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let draft = Sample.draft(app: "ABCDE12345.com.example.other")
            try await test.draft(host, draft)
            await #expect(throws: GateRefusal.self) { try await test.publish(host) }
            let overriding = try await test.publish(host, Publisher.Request(reason: "renamed", overrides: true))
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(overriding).state == .live)
            let back = try await test.publish(host, Publisher.Request(version: 1))
            #expect(back.version == 1)
            #expect(back.report["checks"]?[6]?["outcome"]?.string == "informative")
            #expect(try await test.worker.workOnce())
            #expect(try await test.read { try $0.domain(host).live?.version } == 1)
            #expect(try await test.read { try $0.versions(host, Page()).items.count } == 2)
        }
    }

    @Test("a live file is not published again, unless requested or if something is pending")
    func unchanged() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            let live = try await test.read { try $0.domain(host).live }
            let before = try await counts(test)
            for request in [Publisher.Request(), Publisher.Request(version: 1), Publisher.Request(message: "again")] {
                let outcome = try await test.publisher.publish(
                    host, request, as: test.organization, by: PublishingUnderTest.author)
                #expect(outcome == live.map { .unchanged($0) })
            }
            #expect(try await counts(test) == before)
            let repair = try await test.publish(host, Publisher.Request(reason: "repair", overrides: true))
            #expect(repair.version == 2)
            // Now something is pending.
            #expect(try await test.publish(host).version == 3)
            #expect(try await test.now(repair).state == .superseded)
        }
    }

    @Test("a failing test makes the gate refuse, and the test results are stored with the version")
    func savedTests() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www", path: "/a/*")
            let app = try AppID(Sample.app)
            let opens = LinkTest(url: "/a/1", expected: .opens(app))
            let saved = try await test.write { try $0.createTest(opens, of: host) }
            #expect(try await test.publish(host).version == 1)
            let results = try await test.read { try $0.version(1, of: host).testResults }
            #expect(results?.array?.count == 1)
            #expect(results?[0]?["id"] == .string(saved.id.description))
            #expect(results?[0]?["passed"] == true)
            let excluded = LinkTest(url: "https://www.example.com/a/2", expected: .excluded)
            _ = try await test.write { try $0.createTest(excluded, of: host) }
            let before = try await counts(test)
            let refusal = await #expect(throws: GateRefusal.self) { try await test.publish(host) }
            #expect(refusal?.report.checks.filter { $0.outcome == .failed }.map(\.name) == [.tests])
            #expect(refusal?.report.json["tests"]?["failures"]?.array?.map { $0["url"] } == [.string(excluded.url)])
            await #expect(throws: GateRefusal.self) { try await test.freeze(host) }
            #expect(try await counts(test) == before)
        }
    }

    @Test("later tests do not block a rollback, and the report has their results")
    func testsMadeSince() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.goLive(host, path: "/1")
            try await test.goLive(host, path: "/2")
            let since = LinkTest(url: "/2", expected: .opens(try AppID(Sample.app)))
            _ = try await test.write { try $0.createTest(since, of: host) }
            let back = try await test.publish(host, Publisher.Request(version: 1))
            #expect(back.report["checks"]?[3]?["outcome"] == "informative")
            #expect(back.report["tests"]?["failures"]?[0]?["actual"] == ["outcome": "none"])
            #expect(try await test.worker.workOnce())
            #expect(try await test.now(back).state == .live)
        }
    }

    @Test("an older version that was never live must pass the gate")
    func neverLive() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            try await test.draft(host, Sample.draft(app: "ABCDE12345.com.example.other"))
            _ = try await test.freeze(host)
            try await test.goLive(host, path: "/1")
            await #expect(throws: GateRefusal.self) {
                try await test.publish(host, Publisher.Request(version: 1))
            }
        }
    }

    @Test("an alias has no versions or publications, and an unknown version is not found")
    func aliases() async throws {
        try await withPublishing { test in
            let host = try await test.addDomain("www")
            let alias = try Host("alias.example.com")
            _ = try await test.write { try $0.createDomain(alias, aliasOf: host) }
            let refusal = StorageError.isAlias(of: host.description)
            await #expect(throws: refusal) { try await test.publish(alias) }
            await #expect(throws: refusal) { try await test.publish(alias, Publisher.Request(version: 1)) }
            await #expect(throws: refusal) { try await test.freeze(alias) }
            await #expect(throws: StorageError.notFound(kind: "version", key: "7 of \(host)")) {
                try await test.publish(host, Publisher.Request(version: 7))
            }
        }
    }

    @Test("twenty publications at once get twenty numbers; one waits and the others are superseded")
    func concurrent() async throws {
        try await withPublishing(connections: 12) { test in
            let host = try await test.addDomain("www")
            let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await test.publish(host).version } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(numbers.sorted() == Array(1...20))
            let states = try await test.read { try $0.publications(host, Page()).items.map(\.state) }
            #expect(states.count { $0 == .scheduled } == 1)
            #expect(states.count { $0 == .superseded } == 19)
            #expect(try await test.store.read { try $0.jobCount() } == 1)
        }
    }
}
