import AASA
import Storage
import TestSupport
import Testing

@Suite("Aliases changed at the same moment", .timeLimit(.minutes(3)))
struct AliasRaceTests {
    @Test("an alias that goes live with its target during its deletion is not deleted")
    func deletingWhileGoingLive() async throws {
        let (target, alias) = (try Host("target.example"), try Host("alias.example"))
        try await withStore { test in
            let version = try await test.write { tenant in
                try tenant.addVerified(target)
                _ = try tenant.createDomain(alias, aliasOf: target)
                _ = try tenant.claim(alias)
                return try tenant.freezeSample(target, path: "/one")
            }
            let hold = Hold()
            let isOver = Flag()
            async let published = test.write { tenant in
                let activation = try tenant.activate(version, of: target, expecting: .anything)
                hold.stop()
                return activation
            }
            await hold.reached()
            let deleting = Task {
                defer { isOver.set() }
                try await test.write { try $0.deleteDomain(alias) }
            }
            try await test.database.untilBlocked(unless: isOver)
            hold.release()
            _ = try await published
            await #expect(throws: StorageError.isServed) { try await deleting.value }
            let live = try await test.store.read { try $0.liveHosts() }
            #expect(live.hosts.map(\.host) == [alias.description, target.description])
        }
    }

    @Test(
        "if two domains become each other's alias at once, one succeeds, the other gets an error, and there is no deadlock"
    )
    func crossing() async throws {
        let hosts = [try Host("a.example"), try Host("b.example")]
        try await withStore { test in
            try await test.write { tenant in
                for host in hosts { _ = try tenant.createDomain(host) }
            }
            for _ in 0..<30 {
                async let first = outcome(test, hosts[0], aliasOf: hosts[1])
                async let second = outcome(test, hosts[1], aliasOf: hosts[0])
                let refusals = try await [first, second].compactMap { $0 }
                #expect(refusals.count == 1)
                try await test.write { tenant in
                    for host in hosts { _ = try tenant.updateDomain(host, aliasOf: nil, labels: []) }
                }
            }
        }
    }

    /// The error that refused the change; `nil` if it succeeded. Any other error fails the test.
    private func outcome(_ test: StoreUnderTest, _ host: Host, aliasOf target: Host) async throws -> String? {
        do {
            _ = try await test.write { try $0.updateDomain(host, aliasOf: target, labels: []) }
            return nil
        } catch StorageError.aliasRefused(let reason) {
            return reason
        }
    }
}
