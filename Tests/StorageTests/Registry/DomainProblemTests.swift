import AASA
import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import Storage

/// What is wrong with a domain is stored, so that lists can be filtered and sorted by it.
@Suite("Problems of domains", .timeLimit(.minutes(3)))
struct DomainProblemTests {
    private let host: Host
    private let alias: Host

    init() throws {
        host = try Host("www.example.com")
        alias = try Host("alias.example.com")
    }

    /// The problems of each host, as lists find them.
    private func problems(_ test: StoreUnderTest) async throws -> [Host: [DomainProblem]] {
        try await test.read { tenant in
            try DomainProblem.allCases.reduce(into: [:]) { found, problem in
                for domain in try tenant.domains(Page(), DomainFilter(problem: problem)).items {
                    found[domain.host, default: []].append(problem)
                }
            }
        }
    }

    /// Checks every unchecked draft, with the given result.
    private func check(_ test: StoreUnderTest, _ result: DraftCheck.Result) async throws {
        try await test.write { tenant in
            try tenant.save(tenant.uncheckedDrafts(limit: 10).map { DraftCheck(of: $0, result: result) })
        }
    }

    private let fine = DraftCheck.Result(errors: 0, warnings: 3, notices: 4, tests: 2, failed: 0)

    @Test("a domain and its alias are unverified until they are verified")
    func unverified() async throws {
        try await withStore { test in
            _ = try await test.write { tenant in
                _ = try tenant.createDomain(host)
                _ = try tenant.createDomain(alias, aliasOf: host)
            }
            #expect(try await problems(test) == [host: [.any, .unverified], alias: [.any, .unverified]])
            for host in [host, alias] { _ = try await test.write { try $0.claim(host) } }
            #expect(try await problems(test) == [:])
        }
    }

    @Test("errors and failing tests of the last check are problems, also after a change, until the next check")
    func checks() async throws {
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                let old = try tenant.lockedDraft(host, expecting: nil)
                _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
            }
            func checks() async throws -> Domain.Checks? { try await test.read { try $0.domain(host).checks } }
            #expect(try await checks() == nil)
            try await check(test, DraftCheck.Result(errors: 1, warnings: 2, notices: 3, tests: 5, failed: 4))
            #expect(
                try await checks()
                    == Domain.Checks(errors: 1, warnings: 2, notices: 3, tests: 5, failed: 4, isCurrent: true))
            #expect(try await problems(test) == [host: [.any, .errors, .tests]])
            _ = try await test.write { tenant in
                try tenant.saveDraft(
                    Sample.draft(path: "/other"), of: host, replacing: tenant.lockedDraft(host, expecting: nil))
            }
            #expect(try await checks()?.isCurrent == false)
            #expect(try await problems(test) == [host: [.any, .errors, .tests]])
            try await check(test, fine)
            #expect(try await checks()?.isCurrent == true)
            #expect(try await problems(test) == [:])
        }
    }

    @Test("errors of a draft that was never edited are no problem")
    func untouched() async throws {
        try await withStore { test in
            let errors = DraftCheck.Result(errors: 1, warnings: 0, notices: 0, tests: 0, failed: 0)
            try await test.write { try $0.addVerified(host) }
            try await check(test, errors)
            #expect(try await test.read { try $0.domain(host).checks?.errors } == 1)
            #expect(try await problems(test) == [:])
            _ = try await test.write { tenant in
                try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.lockedDraft(host, expecting: nil))
            }
            #expect(try await problems(test) == [host: [.any, .errors]])
        }
    }

    @Test("a new, changed or deleted test, and the registration of an app, make the last check outdated")
    func outdated() async throws {
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.lockedDraft(host, expecting: nil))
            }
            func isOutdated() async throws -> Bool {
                let isOutdated = try await test.read { try !$0.uncheckedDrafts(limit: 1).isEmpty }
                try await check(test, fine)
                #expect(try await test.read { try $0.uncheckedDrafts(limit: 1).isEmpty })
                return isOutdated
            }
            #expect(try await isOutdated())
            #expect(try await !isOutdated())
            let saved = try await test.write { try $0.createTest(LinkTest(url: "/a", expected: .none), of: host) }
            #expect(try await isOutdated())
            _ = try await test.write { tenant in
                try tenant.updateTest(saved.id, of: host, expecting: nil) { test in
                    LinkTest(url: test.url, expected: test.expected, note: "other")
                }
            }
            #expect(try await isOutdated())
            try await test.write { try $0.deleteTest(saved.id, of: host, expecting: nil) }
            #expect(try await isOutdated())
            _ = try await test.write { tenant in
                _ = try tenant.createTeam(TeamID("ABCDE12345"), name: "t")
                return try tenant.createApp(
                    AppID("ABCDE12345.com.example.app"), teamID: TeamID("ABCDE12345"), name: "a")
            }
            #expect(try await test.read { try $0.hasNewApps() })
            try await test.write { try $0.markDraftsOfNewApps() }
            #expect(try await test.read { try !$0.hasNewApps() })
            #expect(try await isOutdated())
        }
    }

    @Test("the result of an older draft, or of older tests, is saved, and the draft is checked again")
    func races() async throws {
        try await withStore { test in
            try await test.write { try $0.addVerified(host) }
            let changes: [@Sendable (TenantTransaction) throws -> Void] = [
                { tenant in
                    let old = try tenant.lockedDraft(host, expecting: nil)
                    _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
                }, { _ = try $0.createTest(LinkTest(url: "/a", expected: .none), of: host) },
            ]
            for change in changes {
                let before = try await test.read { try $0.uncheckedDrafts(limit: 1) }
                try await test.write(change)
                try await test.write { try $0.save(before.map { DraftCheck(of: $0, result: fine) }) }
                #expect(try await test.read { try $0.domain(host).checks?.isCurrent } == false)
                try await check(test, fine)
                #expect(try await test.read { try $0.domain(host).checks?.isCurrent } == true)
            }
            // A changed draft is not checked as if it were the old one.
            let before = try await test.read { try $0.uncheckedDrafts(limit: 1) }
            #expect(before.isEmpty)
        }
    }

    @Test("a check does not wait for a transaction that changes the domain")
    func noWaiting() async throws {
        try await withStore { test in
            try await test.write { try $0.addVerified(host) }
            let hold = Hold()
            async let edited = test.write { tenant in
                let old = try tenant.lockedDraft(host, expecting: nil)
                let saved = try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
                hold.stop()
                return saved
            }
            await hold.reached()
            try await check(test, fine)
            hold.release()
            _ = try await edited
            #expect(try await test.read { try $0.domain(host).checks } == nil)
            #expect(try await test.read { try $0.uncheckedDrafts(limit: 1).count } == 1)
        }
    }

    @Test("a stopped publication is a problem until a version goes live")
    func publications() async throws {
        try await withStore { test in
            let version = try await test.write { tenant in
                try tenant.addVerified(host)
                return try tenant.freezeSample(host)
            }
            for state in [Publication.State.failed, .suspended, .cancelled] {
                let made = try await test.write { tenant in
                    try tenant.createPublication(
                        NewPublication(of: host, version: version.number, message: "", report: Sample.report))
                }
                #expect(try await problems(test)[host] == (state == .failed ? nil : [.any, .publication]))
                _ = try await test.write { tenant in
                    _ = try tenant.lockedPublication(made.id)
                    return try tenant.end(made, as: state, cause: "c")
                }
                #expect(try await problems(test) == [host: [.any, .publication]], "\(state)")
                try await expectSameStop(test)
            }
            _ = try await test.write { try $0.activate(version, of: host, expecting: .anything) }
            #expect(try await problems(test) == [:])
            try await expectSameStop(test)
            _ = try await test.write { try $0.deactivate(host) }
            try await expectSameStop(test)
        }
    }

    /// The stored state of the last publication matches the one that is computed from the publications.
    private func expectSameStop(_ test: StoreUnderTest) async throws {
        let stopped = try await test.read { try $0.domain(host).stopped?.state }
        #expect((try await problems(test)[host] ?? []).contains(.publication) == (stopped != nil))
    }

    @Test("a pending withdrawal is a problem until it ends")
    func withdrawals() async throws {
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.goLive(host)
            }
            let made = try await test.write { try $0.createWithdrawal(of: host, reason: "over", graceSeconds: 3_600) }
            #expect(try await problems(test) == [host: [.any, .withdrawal]])
            _ = try await test.write { try $0.cancelWithdrawal(made.id, of: host) }
            #expect(try await problems(test) == [:])
        }
    }

    @Test("domains are sorted by their last change, their last publication, and their worst problem")
    func orders() async throws {
        let hosts = try ["a", "b", "c", "d"].map { try Host("\($0).example.com") }
        try await withStore { test in
            for host in hosts { try await test.write { try $0.addVerified(host) } }
            _ = try await test.write { tenant in
                let old = try tenant.lockedDraft(hosts[3], expecting: nil)
                _ = try tenant.saveDraft(Sample.draft(), of: hosts[3], replacing: old)
                _ = try tenant.goLive(hosts[2])
                _ = try tenant.goLive(hosts[1])
            }
            try await test.write { tenant in
                try tenant.save(
                    tenant.uncheckedDrafts(limit: 10).map { draft in
                        var result = fine
                        if draft.host == hosts[3] { result.errors = 1 }
                        if draft.host == hosts[1] { result.failed = 1 }
                        return DraftCheck(of: draft, result: result)
                    })
            }
            try await test.asSuperuser { database in
                for (number, host) in hosts.enumerated() {
                    try database.execute(
                        """
                        update domain_states set changed_at = timestamptz '2026-01-01' + \(number) * interval '1 hour'
                        where host = \(host.description)
                        """)
                }
            }
            for (order, expected) in [
                (DomainOrder.host, [0, 1, 2, 3]), (.changed, [3, 2, 1, 0]), (.published, [1, 2, 3, 0]),
                (.problems, [3, 1, 0, 2]),
            ] {
                for limit in 1...4 {
                    for filter in [DomainFilter(), DomainFilter(search: "example"), DomainFilter(hosts: hosts)] {
                        var (found, after): ([Host], String?) = ([], nil)
                        repeat {
                            let page = Page(limit: limit, after: after)
                            let listing = try await test.read { try $0.domains(page, filter, sortedBy: order) }
                            found += listing.items.map(\.host)
                            after = listing.next
                        } while after != nil
                        #expect(found == expected.map { hosts[$0] }, "\(order), \(limit), \(filter)")
                    }
                }
            }
            let counts = try await test.read { try $0.domainCounts(DomainFilter(search: "a")) }
            #expect(counts.matching == 1)
            #expect(
                counts.problems
                    == [.any: 2, .publication: 0, .withdrawal: 0, .errors: 1, .tests: 1, .unverified: 0])
        }
    }

    @Test("labels are listed with the number of their domains")
    func labels() async throws {
        try await withStore { test in
            try await test.write { tenant in
                _ = try tenant.createDomain(host, labels: ["two", "brand b", "Ä"])
                _ = try tenant.createDomain(alias, labels: ["two", "brand a"])
            }
            func labels(_ page: Page = Page(), _ beginning: String? = nil) async throws -> [String] {
                try await test.read {
                    try $0.labels(page, beginning: beginning).items.map { "\($0.label) \($0.domains)" }
                }
            }
            #expect(try await labels() == ["brand a 1", "brand b 1", "two 2", "Ä 1"])
            #expect(try await labels(Page(limit: 2)) == ["brand a 1", "brand b 1"])
            #expect(try await labels(Page(limit: 2, after: "brand b")) == ["two 2", "Ä 1"])
            #expect(try await labels(Page(), "brand ") == ["brand a 1", "brand b 1"])
            #expect(try await labels(Page(after: "brand a"), "brand ") == ["brand b 1"])
            #expect(try await labels(Page(), "c") == [])
        }
    }

    @Test("the domains of an app are listed with its use in the draft and in the live file")
    func domainsOfAnApp() async throws {
        let app = try AppID("ABCDE12345.com.example.app")
        let hosts = try ["a", "b", "c"].map { try Host("\($0).example.com") }
        try await withStore { test in
            _ = try await test.write { tenant in
                _ = try tenant.createTeam(TeamID("ABCDE12345"), name: "t")
                _ = try tenant.createApp(app, teamID: TeamID("ABCDE12345"), name: "a")
                for host in hosts {
                    try tenant.addVerified(host)
                    let old = try tenant.lockedDraft(host, expecting: nil)
                    _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: old)
                }
                return try tenant.goLive(hosts[1])
            }
            _ = try await test.write { try $0.updateDomain(hosts[2], aliasOf: hosts[1], labels: [], as: .owner) }
            let use = AppUse(rules: 1, services: ["applinks"])
            let live = AppDomain.Live(version: 1, use: use)
            let expected = [
                AppDomain(host: hosts[0], draft: use, live: nil), AppDomain(host: hosts[1], draft: use, live: live),
                AppDomain(host: hosts[2], draft: nil, live: live),
            ]
            #expect(try await test.read { try $0.domains(using: app, Page()).items } == expected)
            #expect(try await test.read { try $0.domains(using: app, Page(), search: "b").items } == [expected[1]])
            let first = try await test.read { try $0.domains(using: app, Page(limit: 2)) }
            #expect(first.items == Array(expected.prefix(2)))
            let rest = try await test.read { try $0.domains(using: app, Page(limit: 2, after: first.next)) }
            #expect(rest.items == [expected[2]] && rest.next == nil)
            #expect(try await test.read { try $0.app(app)?.domains } == 3)
            #expect(try await test.read { try $0.domains(using: AppID("ABCDE12345.x"), Page()).items } == [])
        }
    }
}
