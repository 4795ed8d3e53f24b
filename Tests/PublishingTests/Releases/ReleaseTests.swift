import AASA
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

@Suite("Releases", .timeLimit(.minutes(5)))
struct ReleaseTests {
    func make(_ new: NewRelease, _ test: PublishingUnderTest) async throws -> Release {
        try await test.publisher.release(new, as: test.organization, by: PublishingUnderTest.author)
    }

    func now(_ release: Release, _ test: PublishingUnderTest) async throws -> Release {
        try await test.read { try $0.release(release.id) }
    }

    func domains(_ release: Release, _ test: PublishingUnderTest) async throws -> [ReleaseDomain] {
        try await test.read { try $0.domains(of: release.id, Page(limit: 200)).items }
    }

    /// The release in its final state.
    func end(_ release: Release, _ test: PublishingUnderTest) async throws -> Release {
        while try await test.worker.workOnce() {}
        return try await now(release, test)
    }

    func release(of hosts: [Host], _ test: PublishingUnderTest) async throws -> Release {
        try await end(make(NewRelease(of: .hosts(hosts)), test), test)
    }

    /// Makes a pending release due, and processes it.
    func endDue(_ release: Release, _ test: PublishingUnderTest) async throws -> Release {
        let id = release.id.uuid
        try await test.asSuperuser { database in
            _ = try database.execute("update releases set due_at = now() where id = \(id)")
            _ = try database.execute("update jobs set due_at = now() where key = \(id)")
        }
        return try await end(release, test)
    }

    func hosts(_ count: Int, _ test: PublishingUnderTest) async throws -> [Host] {
        var hosts: [Host] = []
        for number in 0..<count { hosts.append(try await test.addDomain("host\(number)", path: "/\(number)")) }
        return hosts
    }

    func live(_ hosts: [Host], _ test: PublishingUnderTest) async throws -> [Int?] {
        try await test.read { tenant in try hosts.map { try tenant.domain($0).live?.version } }
    }

    @Test(
        "all drafts and their aliases go live in one commit, each with its own activation, and their histories show it")
    func live() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(3, test)
            let alias = try Host("alias.example.com")
            let target = hosts[1]
            try await test.write { tenant in
                _ = try tenant.createDomain(alias, aliasOf: target)
                _ = try tenant.claim(alias)
            }
            let ended = try await release(of: hosts, test)
            #expect(ended.state == .live)
            #expect(ended.activation == 4)
            #expect(ended.counts == [.live: 3])
            let hostsLive = try await test.store.read { try $0.liveHosts() }
            #expect(hostsLive.hosts.map(\.host) == ([alias] + hosts).map(\.description))
            #expect(hostsLive.hosts.map(\.activation) == [1, 2, 3, 4])
            #expect(hostsLive.hosts[0].sha256 == hostsLive.hosts[2].sha256)
            let told = try await test.asSuperuser { database in
                try database.query(
                    """
                    select action || ' ' || subject || ' ' || detail::text as line from audit_entries
                    where action like 'alias.%'
                    """
                ).map { try $0.decode("line", as: String.self) }
            }
            #expect(told.count == 1)
            #expect(told.first?.hasPrefix("alias.live \(alias) ") == true && told[0].contains(target.description))
            for host in hosts {
                let publications = try await test.read { try $0.publications(host, Page()).items }
                #expect(publications.map(\.state) == [.live])
                #expect(publications.map(\.release) == [ended.id])
                #expect(try await test.steps(publications[0]).map(\.kind) == [.made, .live])
                #expect(publications[0].requester == PublishingUnderTest.author)
            }
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("if the gate refuses one domain, nothing goes live, no number is used, and every fault is reported")
    func refused() async throws {
        try await withPublishing { test in
            var hosts = try await hosts(3, test)
            hosts.append(try await test.addDomain("unverified", claimed: false))
            let failing = hosts[0]
            let link = LinkTest(url: "/nothing", expected: .opens(try AppID(Sample.app)))
            try await test.write { _ = try $0.createTest(link, of: failing) }
            let ended = try await release(of: hosts, test)
            #expect(ended.state == .refused)
            #expect(ended.cause == "2 of 4 domains failed their checks")
            #expect(ended.counts == [.passed: 2, .refused: 2])
            let refused = try await domains(ended, test).filter { $0.state == .refused }
            #expect(refused.map { $0.failures?[0]?["check"]?.string } == ["tests", "verified"])
            #expect(refused.allSatisfy { $0.report != nil && $0.version == nil })
            for host in hosts { #expect(try await test.read { try $0.versions(host, Page()).items.isEmpty }) }
            #expect(try await live(hosts, test) == [nil, nil, nil, nil])
        }
    }

    @Test("live drafts are left out, and if all are live, the release ends as unchanged")
    func unchanged() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            #expect(try await release(of: hosts, test).state == .live)
            try await test.draft(hosts[1], Sample.draft(path: "/other"))
            let second = try await release(of: hosts, test)
            #expect(second.counts == [.unchanged: 1, .live: 1])
            #expect(try await live(hosts, test) == [1, 2])
            #expect(try await release(of: hosts, test).state == .unchanged)
        }
    }

    @Test("a label chooses its domains without aliases, and invalid choices are reported together")
    func choice() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(3, test)
            let alias = try Host("alias.example.com")
            let unknown = try Host("unknown.example.com")
            try await test.write { tenant in
                for host in hosts.prefix(2) { _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["brand"]) }
                _ = try tenant.createDomain(alias, aliasOf: hosts[0], labels: ["brand"])
            }
            let ended = try await end(make(NewRelease(of: .label("brand")), test), test)
            #expect(ended.counts == [.live: 2])
            #expect(try await live(hosts, test) == [1, 1, nil])
            await #expect(throws: UnusableChoice(faults: [.emptyLabel])) {
                try await make(NewRelease(of: .label("other")), test)
            }
            await #expect(throws: UnusableChoice(faults: [.unknown(unknown), .alias(alias)])) {
                try await make(NewRelease(of: .hosts([unknown, hosts[0], alias])), test)
            }
        }
    }

    @Test("a dry run only judges")
    func dryRun() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            var new = NewRelease(of: .hosts(hosts))
            new.isDryRun = true
            let ended = try await end(make(new, test), test)
            #expect(ended.state == .judged)
            #expect(ended.counts == [.passed: 2])
            for host in hosts { #expect(try await test.read { try $0.versions(host, Page()).items.isEmpty }) }
        }
    }

    @Test("a scheduled release saves its versions now, waits for its time, and can be cancelled until then")
    func later() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            var new = NewRelease(of: .hosts(hosts))
            new.dueAt = Date().addingTimeInterval(3_600)
            let waiting = try await end(make(new, test), test)
            #expect(waiting.state == .scheduled)
            #expect(waiting.counts == [.frozen: 2])
            let other = try await end(make(new, test), test)
            #expect(try await test.write { try $0.cancelRelease(other.id) }.state == .cancelled)
            await #expect(throws: StorageError.releaseEnded(state: "cancelled")) {
                try await test.write { try $0.cancelRelease(other.id) }
            }
            // A later edit does not change the saved version.
            try await test.draft(hosts[0], Sample.draft(path: "/later"))
            try await test.asSuperuser { database in
                _ = try database.execute("update releases set due_at = now() where state = 'scheduled'")
                _ = try database.execute("update jobs set due_at = now()")
            }
            #expect(try await end(waiting, test).state == .live)
            #expect(try await test.read { try $0.domain(hosts[0]).state } == .changed)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("if one domain has moved, the whole release is suspended, unless it overrides")
    func moved() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(3, test)
            var new = NewRelease(of: .hosts(hosts))
            new.dueAt = Date().addingTimeInterval(3_600)
            let plain = try await end(make(new, test), test)
            new.overrides = true
            new.reason = "it is agreed"
            let overriding = try await end(make(new, test), test)
            func blockedReason(of release: Release) async throws -> String? {
                let release = try await now(release, test)
                return try await test.read { try $0.blockedReason(of: release) }
            }
            #expect(try await blockedReason(of: plain) == nil)
            try await test.goLive(hosts[1], path: "/moved")
            let told = try await blockedReason(of: plain)
            #expect(try await blockedReason(of: overriding) == nil)
            for release in [plain, overriding] { _ = try await endDue(release, test) }
            let suspended = try await now(plain, test)
            #expect(suspended.state == .suspended)
            #expect(suspended.cause?.hasSuffix(": host1.example.com") == true)
            #expect(told == suspended.cause)
            #expect(try await blockedReason(of: plain) == nil)
            #expect(suspended.counts == [.frozen: 2, .moved: 1])
            #expect(try await now(overriding, test).state == .live)
            #expect(try await live(hosts, test) == [2, 2, 2])
        }
    }

    @Test("a freeze of a label suspends scheduled releases with one of its domains, and not releases that are due now")
    func duringFreeze() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(3, test)
            let shop = hosts[1]
            try await test.write { tenant in
                _ = try tenant.updateDomain(shop, aliasOf: nil, labels: ["shop"])
                let end = try tenant.clock().addingTimeInterval(3_600)
                _ = try tenant.createFreeze(label: "shop", reason: "the sale", endsAt: end)
            }
            func later(_ hosts: [Host]) async throws -> Release {
                var new = NewRelease(of: .hosts(hosts))
                new.dueAt = Date().addingTimeInterval(1_800)
                let waiting = try await end(make(new, test), test)
                let freeze = try await test.read { try $0.freeze(stopping: waiting) }
                #expect((freeze != nil) == hosts.contains(shop))
                // A release that is due when the freeze ends is due after it.
                try await test.asSuperuser { _ = try $0.execute("update freezes set ends_at = \(waiting.dueAt)") }
                #expect(try await test.read { try $0.freeze(stopping: waiting) } == nil)
                return try await endDue(waiting, test)
            }
            let suspended = try await later(hosts)
            #expect(suspended.state == .suspended)
            #expect(suspended.cause?.contains("the sale") == true)
            #expect(try await live(hosts, test) == [nil, nil, nil])
            #expect(try await later([hosts[0]]).state == .live)
            #expect(try await release(of: [hosts[1], hosts[2]], test).state == .live)
            #expect(try await test.store.read { try $0.jobCount() } == 1, "the end of the freeze")
        }
    }

    @Test("a release for devices by a time is due earlier, and its publications report if they are too late")
    func effectiveBy() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            var new = NewRelease(of: .hosts(hosts))
            let wanted = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 30 * 86_400).rounded())
            new.effectiveBy = wanted
            let waiting = try await end(make(new, test), test)
            #expect(waiting.state == .scheduled)
            #expect((waiting.effectiveBy, waiting.dueAt) == (wanted, EffectiveBy(wanted).publishAt))
            #expect(waiting.late == nil)
            let id = waiting.id.uuid
            try await test.asSuperuser { database in
                _ = try database.execute("update releases set due_at = now() - interval '10 minutes' where id = \(id)")
                _ = try database.execute("update jobs set due_at = now() where key = \(id)")
            }
            let live = try await end(waiting, test)
            #expect(live.state == .live)
            let late = 600...900
            #expect(late.contains(live.late ?? 0))
            for host in hosts {
                let publication = try #require(try await test.read { try $0.publications(host, Page()).items.first })
                #expect(publication.effectiveBy == wanted)
                #expect(late.contains(publication.late ?? 0))
            }
            let told = try await test.write { tenant in
                _ = try tenant.placeEvents()
                return try tenant.newestEvents(Page(), EventFilter(kinds: [.releaseLive, .publicationLive])).items
            }
            #expect(told.map(\.kind) == ["release.live", "publication.live", "publication.live"])
            for event in told { #expect(late.contains(event.detail["late"]?.number?.int ?? 0), "\(event.kind)") }
            new.dueAt = Date().addingTimeInterval(3_600)
            await #expect(throws: InvalidTimes.self) { try await make(new, test) }
        }
    }

    @Test("each state of a release has one event, in order")
    func events() async throws {
        try await withPublishing { test in
            let host = try await hosts(1, test)[0]
            func told() async throws -> [String] {
                try await test.write { tenant in
                    _ = try tenant.placeEvents()
                    let filter = EventFilter(kinds: EventKind.named("release"))
                    return try tenant.newestEvents(Page(), filter).items.reversed().map(\.kind)
                }
            }
            let live = ["created", "scheduled", "running", "live"].map { "release.\($0)" }
            _ = try await release(of: [host], test)
            #expect(try await told() == live)
            _ = try await release(of: [host], test)
            #expect(try await told() == live + ["release.created", "release.unchanged"])
        }
    }

    @Test(
        "a rollback restores the earlier versions, leaves domains without one, and is suspended if a domain has moved")
    func rollback() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(3, test)
            #expect(try await release(of: Array(hosts.prefix(2)), test).state == .live)
            for host in hosts { try await test.draft(host, Sample.draft(path: "/second")) }
            let second = try await release(of: hosts, test)
            #expect(try await live(hosts, test) == [2, 2, 1])
            func back() async throws -> Release {
                let made = try await test.publisher.release(
                    NewRelease(of: .hosts([])), rollingBack: second.id, as: test.organization,
                    by: PublishingUnderTest.author)
                return try await end(made, test)
            }
            let first = try await back()
            #expect(first.state == .live)
            #expect(first.rollsBack == second.id)
            #expect(try await now(second, test).rolledBackBy == first.id)
            #expect(first.counts == [.live: 2, .staying: 1])
            #expect(try await live(hosts, test) == [1, 1, 1])
            let again = try await back()
            #expect(again.state == .unchanged)
            try await test.goLive(hosts[0], path: "/third")
            let moved = try await back()
            #expect(moved.state == .suspended)
            #expect(try await live(hosts, test) == [3, 1, 1])
        }
    }

    @Test("a host with a pending withdrawal is refused")
    func withdrawn() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            _ = try await release(of: hosts, test)
            try await test.draft(hosts[0], Sample.draft(path: "/new"))
            try await test.write { _ = try $0.createWithdrawal(of: hosts[0], reason: "over", graceSeconds: 600) }
            let ended = try await release(of: hosts, test)
            #expect(ended.state == .refused)
            #expect(try await domains(ended, test)[0].failures?[0]?["check"]?.string == "withdrawal")
        }
    }

    @Test("concurrent releases, publications, withdrawals and alias changes of the same hosts do not deadlock")
    func concurrently() async throws {
        try await withPublishing(connections: 12) { test in
            let hosts = try await hosts(12, test)
            _ = try await release(of: hosts, test)
            let alias = try Host("alias.example.com")
            try await test.write { tenant in
                _ = try tenant.createDomain(alias, aliasOf: hosts[0], as: .publisher)
                _ = try tenant.claim(alias)
            }
            for round in 0..<5 {
                for host in hosts { try await test.draft(host, Sample.draft(path: "/round\(round)")) }
                var releases: [Release] = []
                for hosts in [hosts, hosts.reversed()] {
                    releases.append(try await make(NewRelease(of: .hosts(hosts)), test))
                }
                let made = releases
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { while try await test.worker.workOnce() {} } }
                    group.addTask {
                        for host in hosts.suffix(4) {
                            // A release may already have made the same file live.
                            do { _ = try await test.publish(host) } catch is PublishingUnderTest.NothingToPublish {}
                        }
                    }
                    group.addTask {
                        for number in 0..<6 {
                            let target = hosts[number % 2]
                            try await test.write { tenant in
                                let withdrawal = try tenant.createWithdrawal(of: target, reason: "x", graceSeconds: 600)
                                _ = try tenant.cancelWithdrawal(withdrawal.id, of: target)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                while try await test.worker.workOnce() {}
                for release in made {
                    let ended = try await now(release, test)
                    #expect(ended.state.isEnding && ended.state != .failed, "\(ended.cause ?? "")")
                    #expect(ended.counts[.live].map { $0 + (ended.counts[.unchanged] ?? 0) == 12 } ?? true)
                }
            }
            #expect(try await test.store.read { try $0.parkedJobCount() } == 0)
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }
}
