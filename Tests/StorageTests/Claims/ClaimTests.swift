import AASA
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Claims")
struct ClaimTests {
    private let host = Result { try Host("www.example.com") }

    @Test("two organizations may add the same host, and one of them has the claim")
    func elsewhere() async throws {
        let host = try host.get()
        try await withStore { first in
            let second = try await first.another("second")
            for store in [first, second] { _ = try await store.write { try $0.createDomain(host) } }
            _ = try await first.write { try $0.claim(host) }
            let before = try await first.read { try $0.domain(host) }
            #expect(before.state == .unpublished)
            await #expect(throws: StorageError.claimedElsewhere) { try await second.write { try $0.claim(host) } }
            #expect(try await second.read { try $0.domain(host) }.state == .unverified)
            #expect(try await first.read { try $0.domain(host) } == before)
            #expect(try await second.trail().contains { $0.contains("domain.verified") } == false)
        }
    }

    @Test("if many organizations claim a host at once, one gets it")
    func race() async throws {
        let host = try host.get()
        try await withStore(connections: 12) { first in
            var stores: [StoreUnderTest] = []
            for number in 0..<10 {
                let store = try await first.another("o\(number)")
                _ = try await store.write { try $0.createDomain(host) }
                stores.append(store)
            }
            let outcomes = await withTaskGroup(of: Result<Domain.State, any Error>.self) { group in
                for store in stores {
                    group.addTask {
                        do { return .success(try await store.write { try $0.claim(host) }.state) } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.compactMap { try? $0.get() } == [.unpublished])
            let refusals = outcomes.compactMap { outcome in
                if case .failure(let error) = outcome { error as? StorageError } else { nil }
            }
            #expect(refusals == Array(repeating: .claimedElsewhere, count: 9))
        }
    }

    @Test("a claim made twice is the same claim")
    func again() async throws {
        let host = try host.get()
        try await withStore { test in
            try await test.write { try $0.addVerified(host) }
            let before = try await test.read { try $0.domain(host) }
            #expect(try await test.write { try $0.claim(host) } == before)
            #expect(try await test.trail().count { $0.contains("domain.verified") } == 1)
        }
    }

    @Test("deleting a verified domain without versions frees its host for others")
    func release() async throws {
        let host = try host.get()
        try await withStore { first in
            let second = try await first.another("second")
            try await first.write { try $0.addVerified(host) }
            try await first.write { try $0.deleteDomain(host, as: .publisher) }
            try await second.write { try $0.addVerified(host) }
            #expect(try await second.read { try $0.domain(host) }.state == .unpublished)
        }
    }

    @Test("a domain with a version or a live file is not deleted")
    func served() async throws {
        let host = try host.get()
        let live = try Host("live.example.com")
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host)
                try tenant.addVerified(live)
                _ = try tenant.goLive(live)
            }
            for domain in [host, live] {
                await #expect(throws: StorageError.isServed) {
                    try await test.write { try $0.deleteDomain(domain, as: .publisher) }
                }
                await #expect(throws: Never.self) { try await test.read { try $0.domain(domain) } }
            }
            #expect(try await test.read { try $0.domain(host) }.verifiedAt != nil)
        }
    }

    @Test("the digest of a live file finds an organization that serves it, and any other digest finds none")
    func liveFiles() async throws {
        let host = try host.get()
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.goLive(host)
                _ = try tenant.freezeSample(host, path: "/frozen")
            }
            let (live, frozen) = (digest(Sample.file()), digest(Sample.file(path: "/frozen")))
            let found = try await test.store.read { try $0.organizations(withLiveFiles: [frozen, live, []]) }
            #expect(found == [test.organization: [live]])
            let blobs = try await test.read { try $0.blobs([live, frozen, []]) }
            #expect(Set(blobs.map(\.sha256)) == [live, frozen] && blobs.allSatisfy { digest($0.bytes) == $0.sha256 })
        }
    }

    @Test("a served host cannot become an alias, or stop being one")
    func turning() async throws {
        let host = try host.get()
        let (other, alias) = (try Host("other.example.com"), try Host("alias.example.com"))
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.goLive(host)
                try tenant.addVerified(other)
                _ = try tenant.goLive(other)
                _ = try tenant.createDomain(alias, aliasOf: host, as: .publisher)
                _ = try tenant.claim(alias)
            }
            for (domain, target) in [(host, other), (alias, other), (alias, nil)] as [(Host, Host?)] {
                await #expect(throws: StorageError.isServed) {
                    try await test.write { try $0.updateDomain(domain, aliasOf: target, labels: []) }
                }
            }
        }
    }

    @Test("the target of an alias is another domain of the organization that is not an alias")
    func aliases() async throws {
        let host = try host.get()
        let (alias, foreign, third) = (
            try Host("alias.example.com"), try Host("foreign.example.com"), try Host("third.example.com")
        )
        try await withStore { test in
            let second = try await test.another("second")
            _ = try await second.write { try $0.createDomain(foreign) }
            _ = try await test.write { tenant in
                _ = try tenant.createDomain(host)
                return try tenant.createDomain(alias, aliasOf: host)
            }
            for target in [foreign, alias, third] {
                await #expect(throws: StorageError.self) {
                    try await test.write { try $0.createDomain(third, aliasOf: target) }
                }
            }
            await #expect(throws: StorageError.self) {
                try await test.write { try $0.updateDomain(host, aliasOf: alias, labels: []) }
            }
            await #expect(throws: StorageError.inUse(kind: "domain", usedBy: [alias.description])) {
                try await test.write { try $0.deleteDomain(host) }
            }
            await #expect(throws: StorageError.isAlias(of: host.description)) {
                try await test.read { try $0.draft(alias) }
            }
        }
    }
}
