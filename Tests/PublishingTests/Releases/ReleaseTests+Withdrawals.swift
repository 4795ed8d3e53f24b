import AASA
import FoundationEssentials
import Postgres
import Snapshot
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

/// Withdrawals of hosts of a release, requested or carried out after it has been judged.
extension ReleaseTests {
    /// A release in an hour of new drafts on live hosts.
    private func waiting(
        _ hosts: [Host], changing changed: [Host]? = nil, overrides: Bool, _ test: PublishingUnderTest
    ) async throws -> Release {
        for host in changed ?? hosts { try await test.draft(host, Sample.draft(path: "/new\(overrides)")) }
        var new = NewRelease(of: .hosts(hosts))
        new.overrides = overrides
        new.reason = "it is agreed"
        new.dueAt = Date().addingTimeInterval(3_600)
        return try await end(make(new, test), test)
    }

    private func withdraw(_ host: Host, in seconds: Int, _ test: PublishingUnderTest) async throws -> Withdrawal {
        try await test.write { try $0.createWithdrawal(of: host, reason: "sold", graceSeconds: seconds) }
    }

    /// Ends the grace period of the pending withdrawal, and carries it out.
    private func endGrace(_ test: PublishingUnderTest) async throws {
        try await test.asSuperuser { _ = try $0.execute("update jobs set due_at = now() where kind = 'withdraw'") }
        while try await test.worker.workOnce() {}
    }

    private func predecessors(_ release: Release, _ test: PublishingUnderTest) async throws -> [UUID] {
        try await test.read { try $0.predecessors(of: release) }.map(\.id)
    }

    @Test("a withdrawal requested after the judging does not block the release, and later ends its host's live file")
    func withdrawalPending() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            let alias = try Host("alias.example.com")
            try await test.write { [target = hosts[1]] tenant in
                _ = try tenant.createDomain(alias, aliasOf: target)
                _ = try tenant.claim(alias)
            }
            let key = try SigningKey()
            let feed = SnapshotFeed(store: test.store, key: key)
            func activations() async throws -> [Int64?] {
                let manifest = try Manifest(verifying: try await feed.manifest().bytes, trusted: [key.verificationKey])
                return (hosts + [alias]).map { manifest.entry(of: $0.description)?.activation }
            }
            #expect(try await release(of: hosts, test).state == .live)
            for (overrides, version, first) in [(false, 2, Int64(3)), (true, 4, 11)] {
                let waiting = try await waiting(hosts, overrides: overrides, test)
                let withdrawal = try await withdraw(hosts[1], in: 7_200, test)
                #expect(try await predecessors(waiting, test) == [])
                let ended = try await endDue(waiting, test)
                #expect((ended.state, ended.counts) == (.live, [.live: 2]))
                #expect(try await live(hosts, test) == [version, version])
                #expect(Set(try await activations()) == [first + 1, first + 2, first + 3])
                let before = try await activations()[0]
                try await endGrace(test)
                let withdrawn = try await test.read { try $0.withdrawal(withdrawal.id, of: hosts[1]) }
                #expect(withdrawn.state == .withdrawn)
                #expect(try await activations() == [before, nil, nil])
                #expect(try await now(waiting, test) == ended)
                // A new release puts the host and its alias back in service.
                for host in hosts { try await test.draft(host, Sample.draft(path: "/again\(overrides)")) }
                #expect(try await release(of: hosts, test).state == .live)
                #expect(try await activations().contains(nil) == false)
            }
        }
    }

    @Test(
        "a completed withdrawal cancels the release, even with an override; a later release may put the host back in service"
    )
    func withdrawnMeanwhile() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            for overrides in [false, true] {
                #expect(try await release(of: hosts, test).state == .live)
                let waiting = try await waiting(hosts, overrides: overrides, test)
                let before = try await live([hosts[0]], test)
                let withdrawal = try await withdraw(hosts[1], in: 600, test)
                #expect(try await predecessors(waiting, test) == [withdrawal.id.uuid])
                try await endGrace(test)
                let ended = try await now(waiting, test)
                #expect(ended.state == .cancelled)
                #expect(ended.cause == "cancelled: host1.example.com was withdrawn by ci: sold")
                #expect(try await live(hosts, test) == before + [nil])
                #expect(try await test.store.read { try $0.jobCount() } == 0)
            }
            #expect(try await release(of: hosts, test).state == .live)
        }
    }

    @Test(
        "the withdrawal of an unchanged host suspends the release, unless it overrides, and is named as a predecessor only then"
    )
    func unchangedWithdrawn() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            for overrides in [false, true] {
                #expect(try await release(of: hosts, test).state == .live)
                let waiting = try await waiting(hosts, changing: [hosts[0]], overrides: overrides, test)
                #expect(waiting.counts == [.frozen: 1, .unchanged: 1])
                let withdrawal = try await withdraw(hosts[1], in: 600, test)
                #expect(try await predecessors(waiting, test) == (overrides ? [] : [withdrawal.id.uuid]))
                try await endGrace(test)
                let ended = try await endDue(waiting, test)
                #expect(ended.state == (overrides ? .live : .suspended))
                #expect(try await live(hosts, test)[1] == nil)
            }
        }
    }

    @Test("a host that is withdrawn during the judging does not go live, with the cause")
    func withdrawnWhileJudged() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            #expect(try await release(of: hosts, test).state == .live)
            let waiting = try await waiting(hosts, overrides: true, test)
            // As if the release had been committed while the worker was withdrawing the host.
            let id = waiting.id.uuid
            _ = try await withdraw(hosts[1], in: 600, test)
            try await test.asSuperuser { _ = try $0.execute("update releases set dry_run = true where id = \(id)") }
            try await endGrace(test)
            try await test.asSuperuser { _ = try $0.execute("update releases set dry_run = false where id = \(id)") }
            let ended = try await endDue(waiting, test)
            #expect(ended.state == .suspended)
            #expect(ended.cause == "the host was withdrawn after the release was created: host1.example.com")
            #expect(ended.counts == [.frozen: 1, .moved: 1])
            #expect(try await domains(ended, test)[1].failures?[0]?["check"]?.string == "withdrawal")
            #expect(try await live(hosts, test) == [1, nil])
        }
    }

    @Test("a release puts a withdrawn host back in service if it names it, and not through a label")
    func withdrawnBefore() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            try await test.write { tenant in
                for host in hosts { _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["shop"]) }
            }
            #expect(try await end(make(NewRelease(of: .label("shop")), test), test).state == .live)
            _ = try await withdraw(hosts[1], in: 600, test)
            try await endGrace(test)
            try await test.draft(hosts[0], Sample.draft(path: "/new"))
            let refused = try await end(make(NewRelease(of: .label("shop")), test), test)
            #expect((refused.state, refused.counts) == (.refused, [.passed: 1, .refused: 1]))
            let failures = try await domains(refused, test)[1].failures
            #expect(failures?.array?.compactMap { $0["check"]?.string } == ["withdrawal"])
            #expect(try await live(hosts, test) == [1, nil])
            #expect(try await release(of: hosts, test).state == .live)
            #expect(try await live(hosts, test) == [2, 2])
        }
    }

    @Test("a pending withdrawal is named as a predecessor of an unjudged release, whenever it is due, and refuses it")
    func withdrawalBefore() async throws {
        try await withPublishing { test in
            let hosts = try await hosts(2, test)
            #expect(try await release(of: hosts, test).state == .live)
            for host in hosts { try await test.draft(host, Sample.draft(path: "/new")) }
            let first = try await withdraw(hosts[1], in: 7_200, test)
            var new = NewRelease(of: .hosts(hosts))
            new.dueAt = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 3_600).rounded())
            func preview(_ new: NewRelease) async throws -> (dueAt: Date?, predecessors: [ReleasePredecessor]) {
                try await test.publisher.preview(of: new, as: test.organization)
            }
            let previewed = try await preview(new)
            #expect((previewed.dueAt, previewed.predecessors.map(\.id)) == (new.dueAt, [first.id.uuid]))
            let made = try await make(new, test)
            #expect(try await predecessors(made, test) == [first.id.uuid])
            #expect(try await end(made, test).state == .refused)
            #expect(try await predecessors(now(made, test), test) == [])
            _ = try await test.write { try $0.cancelWithdrawal(first.id, of: hosts[1]) }
            #expect(try await preview(new).predecessors == [])
            new.isDryRun = true
            let check = try await end(make(new, test), test)
            #expect(check.state == .judged)
            let second = try await withdraw(hosts[1], in: 7_200, test)
            #expect(try await predecessors(check, test) == [second.id.uuid])
            new.dueAt = nil
            let atOnce = try await preview(new)
            #expect((atOnce.dueAt, atOnce.predecessors) == (nil, []))
        }
    }
}
