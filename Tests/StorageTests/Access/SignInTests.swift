import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Signing in")
struct SignInTests {
    private func user(_ test: StoreUnderTest) async throws -> User {
        try await test.write { tenant in
            let user = try tenant.system.ensureUser(email: "ada@example.com", name: "Ada")
            try tenant.setRole(.editor, of: user)
            return user
        }
    }

    @Test("a sign-in code is used once")
    func once() async throws {
        try await withStore { test in
            let user = try await user(test)
            let code = try await test.store.write { try $0.createSignInCode(for: user, seconds: 60) }
            let opened = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        ((try? await test.store.write { try $0.useSignInCode(code) }) ?? nil) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(opened == 1)
        }
    }

    @Test("a code works only for its purpose, and ends with the sessions")
    func purpose() async throws {
        try await withStore { test in
            let user = try await user(test)
            for (right, wrong) in [(SignInPurpose.signIn, .passwordReset), (.passwordReset, SignInPurpose.signIn)] {
                try await test.store.write { installation in
                    let code = try installation.createSignInCode(for: user, seconds: 60, purpose: right)
                    #expect(try installation.user(ofSignInCode: code, for: wrong) == nil)
                    #expect(try installation.useSignInCode(code, for: wrong) == nil)
                    #expect(try installation.user(ofSignInCode: code, for: right)?.id == user.id)
                    #expect(try installation.useSignInCode(code, for: right) == user.id)
                    let open = try installation.createSignInCode(for: user, seconds: 60, purpose: right)
                    try installation.closeSessions(of: user.id)
                    #expect(try installation.useSignInCode(open, for: right) == nil)
                }
            }
        }
    }

    @Test("a changed password is not replaced by a hash of the old one, and no longer holds")
    func changedPassword() async throws {
        try await withStore { test in
            let user = try await user(test)
            try await test.store.write { installation in
                try installation.setPasswordHash("old", of: user.id)
                #expect(try installation.replacePasswordHash("old", by: "old, made again", of: user.id))
                #expect(try installation.holdsPasswordHash("old, made again", of: user.id))
                try installation.setPasswordHash("new", of: user.id)
                #expect(try !installation.replacePasswordHash("old, made again", by: "old", of: user.id))
                #expect(try installation.passwordHash(of: user.id) == "new")
                #expect(try !installation.holdsPasswordHash("old", of: user.id))
            }
        }
    }

    @Test("an expired or unknown code is refused")
    func expired() async throws {
        try await withStore { test in
            let user = try await user(test)
            let code = try await test.store.write { try $0.createSignInCode(for: user, seconds: -1) }
            for code in [code, Secret(prefix: "")] {
                #expect(try await test.store.write { try $0.useSignInCode(code) } == nil)
            }
            let sessions = try await test.asSuperuser { try $0.query("select 1 from sessions").count }
            #expect(sessions == 0)
        }
    }

    @Test("a session gives the user with every organization and role, until it is closed or expires")
    func sessions() async throws {
        try await withStore { test in
            let user = try await user(test)
            let second = try await test.another("second")
            try await second.write { try $0.setRole(.owner, of: user) }
            let secret = try await test.store.write { try $0.openSession(of: user.id, seconds: 60).secret }
            let session = try #require(try await test.store.read { try $0.session(secret) })
            #expect(session.user == user)
            #expect(session.memberships.map(\.organization.slug) == ["acme", "second"])
            #expect(session.memberships.map(\.role) == [.editor, .owner])
            #expect(session.secondsLeft > 0 && session.secondsLeft <= 60)
            await #expect(throws: (any Error).self) {
                try await test.store.write { try $0.openSession(of: user.id, seconds: -1) }
            }
            try await test.store.write { try $0.closeSession(secret) }
            #expect(try await test.store.read { try $0.session(secret) } == nil)
        }
    }

    @Test("setting a role replaces the old one, and e-mail addresses ignore case")
    func roles() async throws {
        try await withStore { test in
            let user = try await user(test)
            try await test.write { try $0.setRole(.viewer, of: user) }
            #expect(try await test.store.read { try $0.memberships(of: user.id) }.map(\.role) == [.viewer])
            #expect(try await test.store.read { try $0.user(email: "ADA@Example.com") } == user)
            #expect(try await test.store.write { try $0.ensureUser(email: "Ada@example.COM", name: "x") } == user)
        }
    }

    @Test("a token works for its organization until it expires or is revoked, and only its digest is stored")
    func tokens() async throws {
        try await withStore { test in
            let secrets = try await test.write { tenant in
                (
                    good: try tenant.createToken(name: "ci", role: .publisher).secret,
                    short: try tenant.createToken(name: "old", role: .owner, seconds: -1).secret,
                    revoked: try tenant.createToken(name: "gone", role: .owner, seconds: 60).secret
                )
            }
            try await test.asSuperuser { database in
                _ = try database.execute("update credentials set revoked_at = now() where name = 'gone'")
            }
            let credential = try #require(try await test.store.credential(secrets.good))
            #expect(credential.organization.id == test.organization)
            #expect(credential.grant.role == .publisher)
            #expect(credential.name == "ci" && credential.secondsLeft == nil)
            for secret in [secrets.short, secrets.revoked, Secret(prefix: Secret.tokenPrefix)] {
                #expect(try await test.store.credential(secret) == nil)
            }
            let stored = try await test.asSuperuser { database in
                try database.query("select credentials::text as line from credentials")
                    .map { try $0.decode("line", as: String.self) }
            }
            #expect(stored.count == 3)
            #expect(!stored.contains { $0.contains(secrets.good.text) || $0.contains(secrets.good.text.dropFirst(3)) })
        }
    }

    @Test("a rotated token is valid for the overlap only; the new one has its name, role and lifetime")
    func rotation() async throws {
        try await withStore { test in
            let old = try await test.write { try $0.createToken(name: "ci", role: .editor, seconds: 86_400) }
            let new = try await test.write { try $0.rotateToken(old.token.id, overlap: 3_600) }
            #expect((new.token.name, new.token.role) == ("ci", .editor))
            let left = try #require(try await test.store.credential(old.secret)?.secondsLeft)
            #expect(left > 3_000 && left <= 3_600)
            let fresh = try #require(try await test.store.credential(new.secret)?.secondsLeft)
            #expect(fresh > 86_000 && fresh <= 86_400)
            let again = try await test.write { try $0.rotateToken(old.token.id, overlap: 3_600) }
            #expect(try #require(try await test.store.credential(again.secret)?.secondsLeft) > 86_000)
            _ = try await test.write { try $0.rotateToken(new.token.id, overlap: 0) }
            #expect(try await test.store.credential(new.secret) == nil)
            await #expect(throws: StorageError.tokenEnded) {
                try await test.write { try $0.rotateToken(new.token.id, overlap: 60) }
            }
            let ended = try await test.write { tenant in
                let token = try tenant.createToken(name: "short", role: .viewer, seconds: 60)
                _ = try tenant.rotateToken(token.token.id, overlap: 3_600)
                return token
            }
            let kept = try #require(try await test.store.credential(ended.secret)?.secondsLeft)
            #expect(kept <= 60, "rotating never lengthens the life of the old token")
        }
    }

    @Test("the last use of a token is recorded to the minute")
    func lastUse() async throws {
        try await withStore { test in
            let made = try await test.write { try $0.createToken(name: "ci", role: .viewer) }
            #expect(made.token.lastUsedAt == nil)
            _ = try await test.store.credential(made.secret)
            let used = try await test.read { try $0.token(made.token.id) }.lastUsedAt
            #expect(try #require(used).timeIntervalSince(made.token.createdAt) > -60)
            try await test.asSuperuser { database in
                _ = try database.execute("update credentials set last_used_at = now() - interval '1 day'")
            }
            _ = try await test.store.credential(made.secret)
            #expect(try await test.read { try $0.token(made.token.id) }.lastUsedAt == used)
        }
    }

    @Test("tokens and members are listed page by page")
    func pages() async throws {
        try await withStore { test in
            try await test.write { tenant in
                for name in ["a", "b", "c"] {
                    _ = try tenant.createToken(name: name, role: .viewer)
                    _ = try tenant.addMember(email: "\(name.uppercased())@example.com", name: name, role: .viewer)
                }
            }
            try await test.read { tenant in
                let (tokens, members) = (try tenant.tokens(Page(limit: 2)), try tenant.members(Page(limit: 2)))
                let rest = try tenant.tokens(Page(limit: 2, after: tokens.next)).items
                #expect(Set((tokens.items + rest).map(\.name)) == ["a", "b", "c"])
                #expect((tokens.items.count, rest.count) == (2, 1))
                #expect(members.items.map(\.user.name) == ["a", "b"])
                #expect(try tenant.members(Page(limit: 2, after: members.next)).items.map(\.user.name) == ["c"])
            }
        }
    }
}
