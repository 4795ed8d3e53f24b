import Postgres
import Storage
import TestSupport
import Testing

@Suite("Invitations and passwords")
struct InvitationTests {
    private func member(_ name: String, _ role: Role, _ test: StoreUnderTest) async throws -> User {
        try await test.write { try $0.addMember(email: "\(name)@example.com", name: name, role: role) }
    }

    private func invite(
        in test: StoreUnderTest, _ role: Role = .editor, by inviter: User? = nil
    ) async throws -> Secret {
        try await test.write {
            let made = try $0.invite(email: "grace@example.com", name: "Grace", role: role, by: inviter, seconds: 60)
            return try #require(made.code)
        }
    }

    private let grace = Invitee.new(name: "Grace", passwordHash: "hash")

    @Test("many acceptances at the same time create one member")
    func race() async throws {
        try await withStore { test in
            let code = try await invite(in: test)
            let accepted = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask { (try? await test.write { try $0.acceptInvitation(code, by: grace) }) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(accepted == 1)
            let members = try await test.read { try $0.members() }
            #expect(members.map(\.user.email) == ["grace@example.com"])
            #expect(members.map(\.role) == [.editor])
            #expect(try await test.trail().suffix(1).first?.hasSuffix("invitation.accepted grace@example.com") == true)
            #expect(try await test.store.write { try $0.passwordHolder(email: "Grace@Example.com")?.hash } == "hash")
        }
    }

    @Test("a withdrawn, expired, renewed or foreign code is not accepted")
    func ended() async throws {
        try await withStore { test in
            let code = try await invite(in: test)
            let id = try #require(try await test.read { try $0.invitations(Page()).items.first?.id })
            let renewed = try await test.write { try #require(try $0.renewInvitation(id).code) }
            let other = try await test.another("second")
            await #expect(throws: InvitationError.unknown) {
                try await test.write { try $0.acceptInvitation(code, by: grace) }
            }
            await #expect(throws: InvitationError.unknown) {
                try await other.write { try $0.acceptInvitation(renewed, by: grace) }
            }
            _ = try await test.write { try $0.withdrawInvitation(id) }
            await #expect(throws: InvitationError.unknown) {
                try await test.write { try $0.acceptInvitation(renewed, by: grace) }
            }
            await #expect(throws: InvitationError.ended(.withdrawn)) {
                try await test.write { try $0.renewInvitation(id) }
            }
            let last = try await invite(in: test)
            try await test.asSuperuser { try $0.execute("update invitations set expires_at = now()") }
            await #expect(throws: InvitationError.unknown) {
                try await test.write { try $0.acceptInvitation(last, by: grace) }
            }
            await #expect(throws: InvitationError.unknown) { try await test.store.read { try $0.openInvitation(last) } }
            // An expired invitation does not prevent another one.
            _ = try await invite(in: test)
            let states = try await test.read { try $0.invitations(Page()).items.map(\.state) }
            #expect(states == [.pending, .expired, .withdrawn])
            await #expect(throws: InvitationError.isPending(email: "grace@example.com")) { try await invite(in: test) }
        }
    }

    @Test("an invitation ends when its inviter is removed, or can no longer give the role")
    func inviter() async throws {
        try await withStore { test in
            let ada = try await member("ada", .admin, test)
            let code = try await invite(in: test, .admin, by: ada)
            for role in [Role.publisher, nil] {
                try await test.write { tenant in
                    if let role {
                        _ = try tenant.changeRole(of: ada.email, to: role)
                    } else {
                        _ = try tenant.removeMember(ada.email)
                    }
                }
                await #expect(throws: InvitationError.unknown) {
                    try await test.write { try $0.acceptInvitation(code, by: grace) }
                }
            }
            _ = try await member("ada", .admin, test)
            _ = try await test.write { try $0.acceptInvitation(code, by: grace) }
        }
    }

    @Test("an account that an invitation created cannot be added elsewhere until the operator's link was used")
    func takeover() async throws {
        try await withStore { test in
            // An attacker invites an address of a company, and accepts the invitation with a password of their own.
            let code = try await invite(in: test)
            let user = try await test.write { try $0.acceptInvitation(code, by: grace) }
            let session = try await test.store.write { try $0.openSession(of: user.id).secret }
            let company = try await test.another("company")
            let refusal = MembershipError.isNotVerified(email: "grace@example.com")
            await #expect(throws: refusal) {
                try await company.write { try $0.addMember(email: "GRACE@example.com", name: "G", role: .owner) }
            }
            await #expect(throws: InvitationError.signInRequired(email: "grace@example.com")) {
                let second = try await company.write {
                    let made = try $0.invite(
                        email: "grace@example.com", name: nil, role: .viewer, by: nil, seconds: 60)
                    return try #require(made.code)
                }
                _ = try await company.write { try $0.acceptInvitation(second, by: grace) }
            }
            // The operator's link ends the attacker's password and sessions.
            try await test.store.write { installation in
                let code = try installation.createSignInCode(for: user, seconds: 60)
                #expect(try installation.useSignInCode(code) == user.id)
            }
            #expect(try await test.store.write { try $0.passwordHash(of: user.id) } == nil)
            #expect(try await test.store.session(session) == nil)
            _ = try await company.write { try $0.addMember(email: "grace@example.com", name: "G", role: .owner) }
            // From then on, a link ends nothing.
            try await test.store.write { installation in
                try installation.setPasswordHash("chosen", of: user.id)
                let code = try installation.createSignInCode(for: user, seconds: 60)
                _ = try installation.useSignInCode(code)
                #expect(try installation.passwordHash(of: user.id) == "chosen")
            }
        }
    }

    @Test("only the invited address accepts, and a member is not invited")
    func address() async throws {
        try await withStore { test in
            let code = try await invite(in: test)
            let ada = try await member("ada", .viewer, test)
            await #expect(throws: InvitationError.otherUser(email: "grace@example.com")) {
                try await test.write { try $0.acceptInvitation(code, by: .existing(ada)) }
            }
            await #expect(throws: MembershipError.isMember(email: "ada@example.com", role: .viewer)) {
                try await test.write {
                    try $0.invite(email: "ADA@example.com", name: nil, role: .owner, by: nil, seconds: 60)
                }
            }
        }
    }

    @Test("after five failed sign-ins the wait doubles up to 15 minutes, and attempts at the same time count")
    func failures() async throws {
        try await withStore { test in
            let refused = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        (try? await test.store.write { _ = try $0.count(.signIn(email: "Ada@x.example")) }) == nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(refused == 14)
            var waits: [Int] = []
            for _ in 0..<6 {
                do {
                    try await test.store.write { _ = try $0.count(.signIn(email: "ada@x.example")) }
                } catch let blocked as SignInBlocked {
                    waits.append((blocked.seconds + 59) / 60)
                }
                try await test.asSuperuser { try $0.execute("update sign_in_failures set blocked_until = now()") }
                try await test.store.write { _ = try $0.count(.signIn(email: "ADA@x.example")) }
            }
            #expect(waits == [1, 2, 4, 8, 15, 15])
            try await test.store.write { _ = try $0.count(.signIn(email: "other@x.example")) }
            // PostgreSQL finds the same user for both spellings, so they share their failures.
            for number in 0..<6 {
                try await test.store.write { _ = try $0.count(.signIn(email: number % 2 == 0 ? "ida@x" : "İda@x")) }
            }
            for spelling in ["ida@x", "İda@x"] {
                await #expect(throws: SignInBlocked.self) {
                    try await test.store.write { _ = try $0.count(.signIn(email: spelling)) }
                }
            }
            try await test.store.write { try $0.forgetFailures(.signIn(email: "Ada@x.example")) }
            try await test.store.write { _ = try $0.count(.signIn(email: "ada@x.example")) }
        }
    }
}
