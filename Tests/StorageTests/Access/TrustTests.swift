import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import TestSupport
import Testing

extension Trust.Terms {
    /// A trust in the main branch of a repository.
    static let sample = Trust.Terms(
        name: "Deploy", provider: .github, issuer: "https://token.actions.githubusercontent.com",
        audience: "https://waymark.example.com/acme",
        claims: ["repository_id": "456789", "repository_owner_id": "123456", "ref": "refs/heads/main"],
        grant: Grant(.publisher), lifetimeSeconds: 900)
}

@Suite("Trusts")
struct TrustTests {
    private static let claims: JSONObject = [
        "repository_id": "456789", "repository_owner_id": "123456", "ref": "refs/heads/main", "more": true,
    ]

    @Test(
        "a token misses a claim that it does not have as exactly this text",
        arguments: [
            ([:], ["ref", "repository_id", "repository_owner_id"]),
            (["ref": "refs/pull/7/merge"], ["ref"]),
            (["ref": "refs/heads/main "], ["ref"]),
            (["repository_id": 456789], ["repository_id"]),
            (["repository_id": ["456789"]], ["repository_id"]),
            (["repository_owner_id": nil], ["repository_owner_id"]),
            (["other": "x"], []),
        ] as [(JSONObject, [String])])
    func missing(change: JSONObject, missing: [String]) {
        var claims = change.isEmpty ? [:] : Self.claims
        for member in change.members { claims[member.name] = member.value }
        #expect(Trust.Terms.sample.missing(in: claims) == missing)
    }

    @Test("each verified token is exchanged once, also if two requests come at the same time")
    func once() async throws {
        try await withStore { test in
            let trust = try await test.write { try $0.createTrust(.sample) }
            let made = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask { (try? await exchange(test, trust, fingerprint: 1)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 1)
            #expect(try await exchange(test, trust, fingerprint: 2)?.token.role == .publisher)
        }
    }

    @Test("a changed or deleted trust gives no more tokens, and ends those that it gave")
    func ending() async throws {
        try await withStore { test in
            let first = try await test.write { try $0.createTrust(.sample) }
            let one = try #require(try await exchange(test, first, fingerprint: 1))
            let changed = try await test.write { tenant in
                var terms = first.terms
                terms.claims["ref"] = "refs/heads/release"
                return try tenant.changeTrust(try tenant.trust(first.id, isLocked: true), to: terms)
            }
            #expect(try await test.store.credential(one.secret) == nil)
            #expect(try await exchange(test, first, fingerprint: 2) == nil)
            #expect(try await exchange(test, changed, fingerprint: 2) == nil)
            let back = try await test.write {
                try $0.changeTrust(changed, to: first.terms)
            }
            let two = try #require(try await exchange(test, back, fingerprint: 3))
            #expect(try await test.store.credential(two.secret) != nil)
            try await test.write { try $0.deleteTrust(back) }
            #expect(try await test.store.credential(two.secret) == nil)
            #expect(try await exchange(test, back, fingerprint: 4) == nil)
        }
    }

    @Test("the token of a trust cannot be rotated")
    func rotation() async throws {
        try await withStore { test in
            let trust = try await test.write { try $0.createTrust(.sample) }
            let made = try #require(try await exchange(test, trust, fingerprint: 1))
            #expect(made.token.trust == trust.id)
            await #expect(throws: StorageError.tokenOfTrust) {
                try await test.write { try $0.rotateToken(made.token.id, overlap: 60) }
            }
        }
    }

    @Test("refused tokens make at most one event in ten minutes")
    func refusals() async throws {
        try await withStore { test in
            let trust = try await test.write { try $0.createTrust(.sample) }
            for _ in 0..<5 {
                try await test.write { try $0.noteRefusal(by: trust, because: "ref") }
            }
            #expect(try await test.trail().count { $0.contains("trust.refused") } == 1)
        }
    }

    private func exchange(
        _ test: StoreUnderTest, _ trust: Trust, fingerprint: UInt8
    ) async throws -> NewToken? {
        try await test.write {
            try $0.exchange(
                trust, claims: Self.claims, fingerprint: [UInt8](repeating: fingerprint, count: 32),
                forgetAt: Date(timeIntervalSinceNow: 600), name: "Deploy octocat/shop@main #1")
        }
    }
}
