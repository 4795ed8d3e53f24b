import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Mails")
struct MailTests {
    private func invite(_ email: String, in test: StoreUnderTest) async throws -> ID<Invitation> {
        try await test.write {
            try $0.invite(email: email, name: nil, role: .viewer, by: nil, seconds: 3_600, delivery: .mail)
                .invitation.id
        }
    }

    private func claim(_ test: StoreUnderTest, prefersAccounts: Bool = true) async throws -> ClaimedMail? {
        try await test.store.write { try $0.claimMail(leaseSeconds: 60, prefersAccounts: prefersAccounts) }
    }

    private func makeDue(_ test: StoreUnderTest) async throws {
        try await test.asSuperuser { try $0.execute("update mails set due_at = clock_timestamp()") }
    }

    @Test("each claim gives an invitation a new code, and ends the code before it")
    func codes() async throws {
        try await withStore { test in
            _ = try await invite("grace@example.com", in: test)
            var codes: [Secret] = []
            for attempt in 1...2 {
                let mail = try #require(try await claim(test))
                #expect(mail.attempts == attempt)
                guard case .invitation(let open, let code) = mail.content else {
                    return #expect(Bool(false), "it is a mail of an invitation")
                }
                #expect(open.invitation.email == "grace@example.com")
                codes.append(code)
                try await makeDue(test)
            }
            let (first, second) = (codes[0], codes[1])
            await #expect(throws: InvitationError.unknown) {
                try await test.store.read { try $0.openInvitation(first) }
            }
            _ = try await test.store.read { try $0.openInvitation(second) }
        }
    }

    @Test("a sender that has lost its lease cannot end a mail")
    func lostLease() async throws {
        try await withStore { test in
            let id = try await invite("grace@example.com", in: test)
            let lost = try #require(try await claim(test))
            #expect(try await claim(test) == nil)
            try await makeDue(test)
            let later = try #require(try await claim(test))
            try await test.store.write { try $0.endMail(lost) }
            #expect(try await test.read { try $0.invitation(id).mail?.state } == .queued)
            try await test.store.write { try $0.endMail(later) }
            #expect(try await test.read { try $0.invitation(id).mail?.state } == .sent)
            try await makeDue(test)
            #expect(try await claim(test) == nil)
        }
    }

    @Test("requests for a mail at the same time send one")
    func once() async throws {
        try await withStore { test in
            try await withThrowingTaskGroup { group in
                for email in ["ada@example.com", "ADA@example.com"] {
                    group.addTask {
                        try await test.store.write { installation in
                            try installation.mailPasswordReset(to: email)
                            // The other request begins before this one is committed.
                            Thread.sleep(forTimeInterval: 0.3)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await test.asSuperuser { try $0.query("select from mails").count } == 1)
        }
    }

    @Test("mails about accounts and mails of organizations take turns, so neither can delay the others")
    func order() async throws {
        try await withStore { test in
            for number in 0..<3 { _ = try await invite("g\(number)@example.com", in: test) }
            _ = try await test.write { try $0.addMember(email: "ada@example.com", name: "Ada", role: .owner) }
            for name in ["ADA", "eve", "ida"] {
                try await test.store.write { try $0.mailPasswordReset(to: "\(name)@example.com") }
            }
            #expect(try await claim(test)?.recipient == "ADA@example.com")
            #expect(try await claim(test, prefersAccounts: false)?.recipient == "g0@example.com")
            #expect(try await claim(test)?.recipient == "eve@example.com")
            for number in 1...2 {
                #expect(try await claim(test, prefersAccounts: false)?.recipient == "g\(number)@example.com")
            }
            // Without mails of organizations, the others do not wait.
            #expect(try await claim(test, prefersAccounts: false)?.recipient == "ida@example.com")
        }
    }

    @Test("a mail has no content once its invitation has ended, or the link was handed over")
    func ended() async throws {
        try await withStore { test in
            let id = try await invite("grace@example.com", in: test)
            try await test.asSuperuser { try $0.execute("update invitations set expires_at = now()") }
            #expect(try #require(try await claim(test)).content == nil)
            _ = try await invite("grace@example.com", in: test)
            let handed = try await test.write { tenant in
                let pending = try #require(try tenant.invitations(Page()).items.first { $0.state == .pending })
                #expect(pending.id != id)
                return try tenant.renewInvitation(pending.id).code
            }
            try await makeDue(test)
            #expect(try await claim(test) == nil)
            _ = try await test.store.read { try $0.openInvitation(#require(handed)) }
        }
    }

    @Test("mails are forgotten a day after they have ended, and not before")
    func forgetting() async throws {
        try await withStore { test in
            for number in 0..<3 { _ = try await invite("g\(number)@example.com", in: test) }
            for _ in 0..<2 {
                let mail = try #require(try await claim(test))
                try await test.store.write { try $0.giveUpMail(mail, cause: "away") }
            }
            try await test.store.write { try $0.forgetMails() }
            #expect(try await count(test) == 3)
            try await test.asSuperuser { try $0.execute("update mails set created_at = now() - interval '25 hours'") }
            try await test.store.write { try $0.forgetMails() }
            #expect(try await count(test) == 1)
            try await test.store.write { try $0.discardMails() }
            #expect(try await count(test) == 0)
        }
    }

    @Test("no more links for new passwords are queued while 10,000 mails wait")
    func full() async throws {
        try await withStore { test in
            try await test.asSuperuser {
                try $0.execute(
                    """
                    insert into mails (id, kind, recipient, details, due_at)
                    select gen_random_uuid(), 'passwordReset', number || '@example.com', '{}', now() + interval '1 day'
                    from generate_series(1, 10000) as number
                    """)
            }
            await #expect(throws: MailLimit.ofInstallation) {
                try await test.store.write { try $0.mailPasswordReset(to: "ada@example.com") }
            }
        }
    }

    private func count(_ test: StoreUnderTest) async throws -> Int? {
        try await test.store.pool.read { try $0.first("select count(*) from mails")?.decode(0, as: Int.self) }
    }
}
