import AASA
import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Withdrawals", .timeLimit(.minutes(3)))
struct WithdrawalTests {
    private let host = Result { try Host("www.example.com") }
    private let alias = Result { try Host("alias.example.com") }

    /// A live host with an alias.
    private func serve(_ test: StoreUnderTest) async throws -> (host: Host, alias: Host) {
        let (host, alias) = (try host.get(), try alias.get())
        try await test.write { tenant in
            try tenant.addVerified(host)
            _ = try tenant.goLive(host)
            _ = try tenant.createDomain(alias, aliasOf: host, as: .publisher)
            _ = try tenant.claim(alias)
        }
        return (host, alias)
    }

    private func make(_ host: Host, in test: StoreUnderTest) async throws -> Withdrawal {
        try await test.write { try $0.createWithdrawal(of: host, reason: "the campaign is over", graceSeconds: 600) }
    }

    @discardableResult
    private func withdraw(_ host: Host, in test: StoreUnderTest) async throws -> Withdrawal {
        let made = try await make(host, in: test)
        return try await test.write { try $0.withdraw(made) }
    }

    private func live(_ test: StoreUnderTest) async throws -> [String] {
        try await test.store.read { try $0.liveHosts() }.hosts.map(\.host)
    }

    @Test("a pending withdrawal changes nothing live, and the domain and its aliases show it")
    func pending() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            let before = try await test.read { try $0.domain(host) }
            let made = try await make(host, in: test)
            #expect((made.state, made.activation, made.endedAt) == (.pending, nil, nil))
            #expect(made.reason == "the campaign is over")
            #expect(abs(made.dueAt.timeIntervalSince(made.createdAt) - 600) < 1)
            for name in [host, alias] { #expect(try await test.read { try $0.domain(name).withdrawal } == made) }
            #expect(try await test.read { try $0.domain(host).live } == before.live)
            #expect(try await test.read { try $0.domain(host).state } == before.state)
            #expect(try await test.read { try $0.withdrawal(made.id, of: host) } == made)
            #expect(try await test.read { try $0.withdrawals(host, Page()).items } == [made])
            #expect(try await test.store.read { try $0.nextJobDue() }.map { $0 > .seconds(590) } == true)
            #expect(try await test.store.read { try $0.lastActivation() } == 2)
        }
    }

    @Test("a host has at most one pending withdrawal, and only if something is live")
    func refused() async throws {
        try await withStore { test in
            let (host, _) = try await serve(test)
            let other = try Host("other.example.com")
            try await test.write { try $0.addVerified(other) }
            await #expect(throws: StorageError.nothingLive) { try await make(other, in: test) }
            let made = try await make(host, in: test)
            await #expect(throws: StorageError.beingWithdrawn(at: made.dueAt)) { try await make(host, in: test) }
            _ = try await test.write { try $0.withdraw(made) }
            await #expect(throws: StorageError.nothingLive) { try await make(host, in: test) }
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                _ = try? await test.write { try $0.goLive(host) }
                for _ in 0..<8 { group.addTask { (try? await make(host, in: test)) != nil } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 1)
        }
    }

    @Test("withdrawing a domain ends its live file and those of its aliases, each with its own activation")
    func withdrawing() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            let ended = try await withdraw(host, in: test)
            #expect((ended.state, ended.cause) == (.withdrawn, nil))
            #expect(ended.endedAt != nil)
            let all = try await test.store.read { try $0.liveHosts() }
            #expect(all.hosts == [] && all.activation == 4)
            #expect(all.ended.map(\.host) == [alias.description, host.description])
            #expect(all.ended.last?.activation == ended.activation)
            #expect(Set(all.ended.map(\.activation)) == [3, 4])
            let domain = try await test.read { try $0.domain(host) }
            #expect((domain.live, domain.state, domain.withdrawal) == (nil, .withdrawn, nil))
            #expect(try await test.read { try $0.domain(alias).state } == .alias)
            #expect(
                try await test.read { try $0.domains(Page(), DomainFilter(state: .withdrawn)).items.map(\.host) } == [
                    host
                ])
            #expect(try await test.store.read { try $0.jobCount() } == 0)
            #expect(
                try await test.trail().suffix(3) == [
                    "user ada@example.com withdrawal.created www.example.com",
                    "user ada@example.com alias.ended alias.example.com",
                    "user ada@example.com withdrawal.withdrawn www.example.com",
                ])
        }
    }

    @Test("publishing a withdrawn domain puts it and its aliases back in service")
    func back() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            try await withdraw(host, in: test)
            let version = try await test.write { try $0.freezeSample(host, path: "/back") }
            let activation = try await test.write { tenant in
                try tenant.activate(version, of: host, expecting: .activation(tenant.domain(host).live?.activation))
            }
            #expect(activation == .done(6))
            #expect(try await live(test) == [alias.description, host.description])
            #expect(try await test.read { try $0.domain(alias).live?.version } == 2)
        }
    }

    @Test("an alias that is withdrawn on its own is left out of publications until it is verified again")
    func aliasAlone() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            try await withdraw(alias, in: test)
            #expect(try await live(test) == [host.description])
            #expect(try await test.read { try $0.domain(alias).state } == .withdrawn)
            _ = try await test.write { try $0.goLive(host, path: "/2") }
            try await withdraw(host, in: test)
            _ = try await test.write { try $0.goLive(host, path: "/3") }
            #expect(try await live(test) == [host.description])
            _ = try await test.write { try $0.claim(alias) }
            #expect(try await live(test) == [alias.description, host.description])
            #expect(try await test.read { try $0.domain(alias).live?.version } == 3)
            _ = try await test.write { try $0.goLive(host, path: "/4") }
            #expect(try await test.read { try $0.domain(alias).live?.version } == 4)
            #expect(try await test.trail().count { $0.contains("domain.verified alias") } == 2)
            _ = try await test.write { try $0.claim(alias) }
            #expect(try await test.trail().count { $0.contains("domain.verified alias") } == 2)
        }
    }

    @Test("an alias that was withdrawn on its own returns when an administrator gives it another target")
    func turned() async throws {
        try await withStore { test in
            let (_, alias) = try await serve(test)
            let other = try Host("other.example.com")
            try await test.write { tenant in
                try tenant.addVerified(other)
                _ = try tenant.goLive(other, path: "/other")
            }
            try await withdraw(alias, in: test)
            await #expect(throws: StorageError.self) {
                try await test.write { try $0.updateDomain(alias, aliasOf: other, labels: [], as: .publisher) }
            }
            _ = try await test.write { try $0.updateDomain(alias, aliasOf: other, labels: [], as: .admin) }
            let live = try await test.read { try $0.domain(alias) }
            #expect((live.state, live.live?.sha256) == (.alias, digest(Sample.file(path: "/other"))))
        }
    }

    @Test("an alias with a new target stays live when the old target is withdrawn")
    func elsewhere() async throws {
        try await withStore { test in
            let (host, other, alias) = (try host.get(), try Host("other.example.com"), try alias.get())
            try await test.write { tenant in
                for domain in [host, other] { try tenant.addVerified(domain) }
                _ = try tenant.createDomain(alias, aliasOf: host)
                _ = try tenant.claim(alias)
                _ = try tenant.updateDomain(alias, aliasOf: other, labels: [])
                for domain in [host, other] { _ = try tenant.goLive(domain) }
            }
            try await withdraw(host, in: test)
            #expect(try await live(test) == [alias.description, other.description])
        }
    }

    @Test("a host with a pending withdrawal cannot become an alias, or stop being one")
    func notTurned() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            let pending = try await make(alias, in: test)
            #expect(try await test.read { try $0.domain(host).withdrawal } == nil)
            try await withdraw(host, in: test)
            await #expect(throws: StorageError.beingWithdrawn(at: pending.dueAt)) {
                try await test.write { try $0.updateDomain(alias, aliasOf: nil, labels: []) }
            }
            #expect(try await test.write { try $0.withdraw(pending) }.state == .withdrawn)
            _ = try await test.write { try $0.goLive(host) }
            #expect(try await live(test) == [host.description])
        }
    }

    @Test("pending publications of the domain end as cancelled, with the cause, whatever follows what")
    func pendingPublications() async throws {
        try await withStore { test in
            let (host, _) = try await serve(test)
            let made = try await make(host, in: test)
            try await test.write { tenant in
                let now = try tenant.clock()
                var follows: ID<Publication>?
                for number in 1...4 {
                    var new = NewPublication(of: host, version: 1, report: Sample.report)
                    new.dueAt = now.addingTimeInterval(Double(3_600 * number))
                    new.follows = follows
                    new.isRevert = number == 2
                    new.overrides = number == 3
                    new.reason = "x"
                    follows = try tenant.createPublication(new).id
                }
                _ = try tenant.withdraw(made)
            }
            let publications = try await test.read { try $0.publications(host, Page()).items }
            #expect(publications.map(\.state) == Array(repeating: .cancelled, count: 4))
            let cause = "the host was withdrawn by ada@example.com: the campaign is over"
            #expect(Set(publications.map(\.cause)) == [cause])
            #expect(try await test.store.read { try $0.jobCount() } == 0)
        }
    }

    @Test("a withdrawal can be undone only while it is pending")
    func undone() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            let made = try await make(host, in: test)
            await #expect(throws: StorageError.notFound(kind: "withdrawal", key: made.id.description)) {
                try await test.write { try $0.cancelWithdrawal(made.id, of: alias) }
            }
            let undone = try await test.write { try $0.cancelWithdrawal(made.id, of: host) }
            #expect((undone.state, undone.cause, undone.activation) == (.cancelled, "undone by ada@example.com", nil))
            #expect(try await test.store.read { try $0.jobCount() } == 0)
            #expect(try await test.read { try $0.domain(host).withdrawal } == nil)
            #expect(try await live(test) == [alias.description, host.description])
            await #expect(throws: StorageError.withdrawalEnded(state: "cancelled")) {
                try await test.write { try $0.cancelWithdrawal(made.id, of: host) }
            }
            let ended = try await withdraw(host, in: test)
            await #expect(throws: StorageError.withdrawalEnded(state: "withdrawn")) {
                try await test.write { try $0.cancelWithdrawal(ended.id, of: host) }
            }
            #expect(try await test.read { try $0.withdrawals(host, Page(limit: 1)).items } == [ended])
        }
    }

    @Test("a host that was ever served is never deleted, withdrawn or not")
    func kept() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            try await withdraw(alias, in: test)
            await #expect(throws: StorageError.isServed) { try await test.write { try $0.deleteDomain(alias) } }
            try await withdraw(host, in: test)
            await #expect(throws: StorageError.isServed) { try await test.write { try $0.deleteDomain(host) } }
        }
    }

    @Test("an alias that joins while its target is withdrawn does not stay live, 100 times")
    func joining() async throws {
        try await withStore { test in
            let pairs = try (0..<100).map { (try Host("target\($0).example.com"), try Host("alias\($0).example.com")) }
            try await test.write { tenant in
                for (target, alias) in pairs {
                    try tenant.addVerified(target)
                    _ = try tenant.goLive(target)
                    _ = try tenant.createDomain(alias, aliasOf: target, as: .publisher)
                }
            }
            for (target, alias) in pairs {
                let made = try await make(target, in: test)
                async let withdrawn = test.write { tenant in
                    _ = try tenant.lockedWithdrawal(made.id)
                    return try tenant.withdraw(made).state
                }
                async let joined = test.write { try $0.claim(alias).host }
                _ = try await (withdrawn, joined)
            }
            #expect(try await live(test) == [])
            #expect(try await test.store.read { try $0.liveHosts() }.ended.count >= 100)
        }
    }

    @Test("a concurrent publication and withdrawal of a domain take effect one after the other, 100 times")
    func racing() async throws {
        try await withStore { test in
            let (host, alias) = try await serve(test)
            let version = try await test.write { try $0.freezeSample(host, path: "/2") }
            for _ in 0..<100 {
                let made = try await make(host, in: test)
                async let published = test.write { try $0.activate(version, of: host, expecting: .anything) }
                async let withdrawn = test.write { try $0.withdraw(made) }
                let (activation, ended) = try await (published, withdrawn)
                guard case .done(let number) = activation, let end = ended.activation else {
                    throw StorageError.nothingLive
                }
                let expected = number > end ? [alias.description, host.description] : []
                #expect(try await live(test) == expected)
                _ = try await test.write { try $0.activate(version, of: host, expecting: .anything) }
            }
        }
    }
}
