import AASA
import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

@testable import Publishing

/// A worker checks drafts after they have changed.
@Suite("Checking drafts", .timeLimit(.minutes(3)))
struct DraftCheckerTests {
    private func addDomain(_ host: Host, path: String, in test: PublishingUnderTest) async throws {
        let draft = Draft(entries: [
            Draft.Entry(
                id: "entry", apps: ["ABCDE12345.com.example.app"],
                rules: [Rule(id: "rule", fields: RuleFields(path: path))])
        ])
        try await test.write { tenant in
            _ = try tenant.createDomain(host)
            _ = try tenant.saveDraft(draft, of: host, replacing: tenant.lockedDraft(host, expecting: nil))
            for (url, expected) in [("/a", LinkTest.Expectation.none), ("/buy/1", .none)] {
                _ = try tenant.createTest(LinkTest(url: url, expected: expected), of: host)
            }
        }
    }

    private func checks(_ host: Host, _ test: PublishingUnderTest) async throws -> Domain.Checks? {
        try await test.store.read(as: test.organization) { try $0.domain(host).checks }
    }

    @Test("a draft gets the counts that its findings and a test run have")
    func counts() async throws {
        let host = try Host("www.example.com")
        try await withPublishing { test in
            try await addDomain(host, path: "/buy/*", in: test)
            let checker = DraftChecker(store: test.store, logger: TestCluster.silent)
            #expect(try await !checker.checkOnce(), "an organization was checked that was not noted")
            #expect(try await checks(host, test) == nil)
            checker.note(test.organization)
            while try await checker.checkOnce() {}
            let findings = try await test.store.read(as: test.organization) { tenant in
                let stored = try tenant.draft(host)
                return stored.contents.report(registered: try tenant.registered(among: stored.draft.apps)).findings
            }
            let found = try #require(try await checks(host, test))
            #expect(found.errors == findings.count { $0.severity == .error })
            #expect(found.warnings == findings.count { $0.severity == .warning })
            #expect(found.notices == findings.count { $0.severity == .notice })
            #expect(found.tests == 2)
            #expect(found.failed == 1)
            #expect(found.isCurrent)
        }
    }

    @Test("the registration of an app changes the findings of the drafts that name it")
    func registration() async throws {
        let host = try Host("www.example.com")
        try await withPublishing { test in
            try await addDomain(host, path: "/buy/*", in: test)
            let checker = DraftChecker(store: test.store, logger: TestCluster.silent)
            checker.note(test.organization)
            while try await checker.checkOnce() {}
            func all() async throws -> Int {
                let checks = try #require(try await checks(host, test))
                #expect(checks.isCurrent)
                return checks.errors + checks.warnings + checks.notices
            }
            let before = try await all()
            try await test.write { tenant in
                let team = try TeamID("ABCDE12345")
                _ = try tenant.createTeam(team, name: "t")
                _ = try tenant.createApp(AppID("ABCDE12345.com.example.app"), teamID: team, name: "a")
            }
            checker.note(test.organization)
            while try await checker.checkOnce() {}
            #expect(try await all() == before - 1)
        }
    }

    @Test("more drafts than are checked at once, of all organizations, are checked by several checkers")
    func many() async throws {
        try await withPublishing { test in
            let hosts = try (0..<DraftChecker.draftsAtOnce * 2 + 1).map { try Host("h\($0).example.com") }
            try await test.write { tenant in
                for host in hosts { _ = try tenant.createDomain(host) }
            }
            let checkers = (0..<2).map { _ in DraftChecker(store: test.store, logger: TestCluster.silent) }
            try await withThrowingTaskGroup { group in
                for checker in checkers {
                    group.addTask {
                        try await checker.noteAll()
                        while try await checker.checkOnce() {}
                    }
                }
                try await group.waitForAll()
            }
            for host in hosts { #expect(try await checks(host, test)?.isCurrent == true) }
        }
    }
}
