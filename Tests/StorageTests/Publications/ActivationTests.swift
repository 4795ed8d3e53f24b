import AASA
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Activations", .timeLimit(.minutes(3)))
struct ActivationTests {
    private static func host(_ name: String) throws -> Host { try Host("\(name).example.com") }

    @Test("activations become visible in order, while many are made")
    func order() async throws {
        let hosts = try (0..<8).map { try Self.host("h\($0)") }
        try await withStore(connections: 12) { test in
            try await test.write { tenant in for host in hosts { try tenant.addVerified(host) } }
            let isOver = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for host in hosts {
                    group.addTask {
                        for round in 0..<15 { try await publish(host, "/\(round)", in: test) }
                    }
                }
                for _ in 0..<2 {
                    group.addTask { while !isOver.isSet, !Task.isCancelled { try await check(test) } }
                }
                for _ in hosts { try await group.next() }
                isOver.set()
            }
            try await check(test)
            #expect(try await test.store.read { try $0.lastActivation() } == 120)
        }
    }

    private func publish(_ host: Host, _ path: String, in test: StoreUnderTest) async throws {
        try await test.write { tenant in
            let version = try tenant.freezeSample(host, path: path)
            let publication = try tenant.createPublication(
                NewPublication(of: host, version: version.number, report: Sample.report))
            let activation = try tenant.activate(version, of: host, expecting: .anything)
            guard case .done(let number) = activation else { throw StorageError.claimedElsewhere }
            _ = try tenant.end(publication, as: .live, activation: number)
        }
    }

    /// The snapshot matches its activation, and all activations up to the highest are committed.
    private func check(_ test: StoreUnderTest) async throws {
        let live = try await test.store.read { try $0.liveHosts() }
        #expect(live.hosts.map(\.activation).max() ?? 0 == live.activation)
        #expect(live.hosts.map(\.host) == live.hosts.map(\.host).sorted())
        let seen = try await test.database.runtime.read(as: test.organization.uuid) { db in
            try db.query("select count(*), coalesce(max(activation), 0) from publications where state = 'live'")
                .map { try $0.decode(Int.self, Int.self) }
        }
        #expect(seen.first.map { $0.0 == $0.1 } == true, "\(seen)")
    }

    @Test("an alias that joins while its target is published gets the same file, 200 times")
    func joining() async throws {
        try await withStore(connections: 8) { test in
            let pairs = try (0..<200).map { (try Self.host("target\($0)"), try Self.host("alias\($0)")) }
            try await test.write { tenant in
                for (target, alias) in pairs {
                    try tenant.addVerified(target)
                    try tenant.addVerified(alias)
                }
                // Every other target is already live.
                for (round, pair) in pairs.enumerated() where round.isMultiple(of: 2) {
                    _ = try tenant.goLive(pair.0, path: "/before")
                }
            }
            // Saved first, as for a worker: saving would lock the domain too.
            let versions = try await test.write { tenant in
                try pairs.enumerated().map { try tenant.freezeSample($0.element.0, path: "/\($0.offset)") }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (round, pair) in pairs.enumerated() {
                    if round >= 3 { try await group.next() }
                    group.addTask {
                        async let published = test.write {
                            try $0.activate(versions[round], of: pair.0, expecting: .anything)
                        }
                        async let joined = test.write {
                            try $0.updateDomain(pair.1, aliasOf: pair.0, labels: [], as: .publisher)
                        }
                        _ = try await (published, joined)
                    }
                }
                try await group.waitForAll()
            }
            let live = try await test.store.read { try $0.liveHosts() }
            let files = Dictionary(uniqueKeysWithValues: live.hosts.map { ($0.host, $0.sha256) })
            for (round, pair) in pairs.enumerated() {
                #expect(files[pair.0.description] == digest(Sample.file(path: "/\(round)")))
                #expect(files[pair.1.description] == files[pair.0.description], "round \(round)")
            }
        }
    }

    @Test("an alias that joins between an activation and its commit goes live with it", arguments: [false, true])
    func joiningBeforeCommit(isLiveAlready: Bool) async throws {
        let (target, alias) = (try Self.host("target"), try Self.host("alias"))
        try await withStore { test in
            // Saved first, as for a worker: saving would lock the domain too.
            let version = try await test.write { tenant in
                try tenant.addVerified(target)
                try tenant.addVerified(alias)
                if isLiveAlready { _ = try tenant.goLive(target, path: "/before") }
                return try tenant.freezeSample(target, path: "/now")
            }
            let hold = Hold()
            let isOver = Flag()
            async let published = test.write { tenant in
                let activation = try tenant.activate(version, of: target, expecting: .anything)
                hold.stop()
                return activation
            }
            await hold.reached()
            let joining = Task {
                defer { isOver.set() }
                _ = try await test.write {
                    try $0.updateDomain(alias, aliasOf: target, labels: [], as: .publisher)
                }
            }
            try await test.database.untilBlocked(unless: isOver)
            hold.release()
            _ = try await published
            try await joining.value
            let domain = try await test.read { try $0.domain(alias) }
            #expect(domain.live?.sha256 == digest(Sample.file(path: "/now")))
            #expect(domain.state == .alias)
        }
    }

    @Test("a domain cannot become an alias while its own publication is being made live")
    func turningIntoAnAliasWhileGoingLive() async throws {
        let (target, other) = (try Self.host("target"), try Self.host("other"))
        try await withStore { test in
            let version = try await test.write { tenant in
                try tenant.addVerified(target)
                try tenant.addVerified(other)
                return try tenant.freezeSample(other, path: "/own")
            }
            let hold = Hold()
            let isOver = Flag()
            async let published = test.write { tenant in
                let activation = try tenant.activate(version, of: other, expecting: .anything)
                hold.stop()
                return activation
            }
            await hold.reached()
            let turning = Task {
                defer { isOver.set() }
                _ = try await test.write { try $0.updateDomain(other, aliasOf: target, labels: []) }
            }
            try await test.database.untilBlocked(unless: isOver)
            hold.release()
            _ = try await published
            await #expect(throws: StorageError.isServed) { try await turning.value }
            let domain = try await test.read { try $0.domain(other) }
            #expect(domain.live?.sha256 == digest(Sample.file(path: "/own")))
            #expect(domain.aliasOf == nil)
        }
    }

    @Test("changing the labels of an alias changes nothing live, and does not block a publication")
    func labelsOfAnAlias() async throws {
        let (target, alias) = (try Self.host("target"), try Self.host("alias"))
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(target)
                _ = try tenant.goLive(target)
                _ = try tenant.createDomain(alias, aliasOf: target, as: .publisher)
                _ = try tenant.claim(alias)
            }
            let before = try await test.store.read { try $0.liveHosts() }
            #expect(before.hosts.map(\.host) == [alias.description, target.description])
            _ = try await test.write { try $0.updateDomain(alias, aliasOf: target, labels: ["staging"]) }
            #expect(try await test.store.read { try $0.liveHosts() }.hosts == before.hosts)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for round in 0..<60 {
                    group.addTask { _ = try await test.write { try $0.goLive(target, path: "/\(round)") } }
                    group.addTask {
                        _ = try await test.write { try $0.updateDomain(alias, aliasOf: target, labels: ["\(round)"]) }
                    }
                }
                try await group.waitForAll()
            }
            let files = try await test.store.read { try $0.liveHosts() }.hosts.map(\.sha256)
            #expect(files.count == 2 && Set(files).count == 1)
        }
    }

    @Test("an activation changes the domain and its aliases, each with its own number")
    func aliases() async throws {
        let (target, alias, stranger) = (try Self.host("target"), try Self.host("alias"), try Self.host("stranger"))
        try await withStore { test in
            let done = try await test.write { tenant in
                try tenant.addVerified(target)
                try tenant.addVerified(stranger)
                _ = try tenant.createDomain(alias, aliasOf: target)
                _ = try tenant.claim(alias)
                return try tenant.goLive(target)
            }
            let live = try await test.store.read { try $0.liveHosts() }
            try #require(live.hosts.map(\.host) == [alias.description, target.description])
            #expect(Set(live.hosts.map(\.activation)) == [1, 2])
            #expect(done == .done(live.hosts[1].activation))
            #expect(Set(live.hosts.map(\.sha256)).count == 1)
        }
    }

    @Test("an activation whose expectation fails changes nothing and uses no number")
    func expectations() async throws {
        let host = try Self.host("www")
        let unclaimed = try Self.host("unclaimed")
        try await withStore { test in
            let version = try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.createDomain(unclaimed)
                _ = try tenant.goLive(host)
                return try tenant.freezeSample(host, path: "/2")
            }
            let before = try await test.store.read { try $0.liveHosts().hosts }
            for (expected, outcome) in [
                (TenantTransaction.Expectation.activation(nil), TenantTransaction.Activation.moved(to: 1)),
                (.activation(7), .moved(to: 1)),
            ] {
                let came = try await test.write { try $0.activate(version, of: host, expecting: expected) }
                #expect(came == outcome)
            }
            let other = try await test.write { try $0.activate(version, of: unclaimed, expecting: .anything) }
            #expect(other == .unclaimed)
            #expect(try await test.store.read { try $0.liveHosts().hosts } == before)
            #expect(try await test.store.read { try $0.lastActivation() } == 1)
            let done = try await test.write { try $0.activate(version, of: host, expecting: .activation(1)) }
            #expect(done == .done(2))
        }
    }
}
