import AASA
import Cron
import FoundationEssentials
import Postgres
import Storage
import Testing

/// A change, and the entry that it adds.
private struct AuditCase: Sendable, CustomTestStringConvertible {
    let entry: String
    let change: @Sendable (TenantTransaction) throws -> Void
    var testDescription: String { entry }
}

private let www = "www.example.com"

private func cases() throws -> [AuditCase] {
    let host = try Host(www)
    let team = try TeamID("ABCDE12345")
    let app = try AppID("ABCDE12345.com.example.app")
    return [
        AuditCase(entry: "organization.changed acme") {
            _ = try $0.changeOrganization(name: "Acme Ltd", requiresSecondFactor: true)
        },
        AuditCase(entry: "team.created ABCDE12345") { _ = try $0.createTeam(team, name: "a") },
        AuditCase(entry: "team.changed ABCDE12345") { _ = try $0.renameTeam(team, name: "b") },
        AuditCase(entry: "app.created \(app)") { _ = try $0.createApp(app, teamID: team, name: "a") },
        AuditCase(entry: "app.changed \(app)") { tenant in
            if let app = try tenant.app(app) { _ = try tenant.updateApp(app) }
        },
        AuditCase(entry: "app.deleted \(app)") { try $0.deleteApp(app) },
        AuditCase(entry: "team.deleted ABCDE12345") { try $0.deleteTeam(team) },
        AuditCase(entry: "domain.created \(www)") { _ = try $0.createDomain(host) },
        AuditCase(entry: "domain.changed \(www)") { _ = try $0.updateDomain(host, aliasOf: nil, labels: ["a"]) },
        AuditCase(entry: "domain.deleted \(www)") { try $0.deleteDomain(host) },
        AuditCase(entry: "domain.created \(www)") { _ = try $0.createDomain(host) },
        AuditCase(entry: "domain.verified \(www)") { _ = try $0.claim(host) },
        AuditCase(entry: "draft.changed \(www)") { tenant in
            _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.draft(host))
        },
        AuditCase(entry: "draft.imported \(www)") { tenant in
            _ = try tenant.saveDraft(
                Sample.draft(), of: host, replacing: tenant.draft(host), as: .draftImported)
        },
        AuditCase(entry: "draft.reset \(www)") { tenant in
            _ = try tenant.saveDraft(
                Sample.draft(), of: host, replacing: tenant.draft(host), as: .draftReset, version: 1)
        },
        AuditCase(entry: "rule.created \(www)") { try save(host, .ruleCreated, in: $0) },
        AuditCase(entry: "rule.changed \(www)") { try save(host, .ruleChanged, in: $0) },
        AuditCase(entry: "rule.deleted \(www)") { try save(host, .ruleDeleted, in: $0) },
        AuditCase(entry: "test.created \(www)") { tenant in
            _ = try tenant.createTest(LinkTest(url: "/", expected: .none), of: host)
        },
        AuditCase(entry: "test.changed \(www)") { tenant in
            if let saved = try tenant.allTests(host).first {
                _ = try tenant.updateTest(saved.id, of: host, expecting: 1) { $0 }
            }
        },
        AuditCase(entry: "test.deleted \(www)") { tenant in
            if let saved = try tenant.allTests(host).first {
                try tenant.deleteTest(saved.id, of: host, expecting: 2)
            }
        },
        AuditCase(entry: "tests.imported \(www)") { tenant in
            _ = try tenant.importTests(
                LinkTestSuite([LinkTest(url: "/", expected: .none)]), of: host, replacing: true)
        },
        AuditCase(entry: "version.created \(www)") { _ = try $0.freezeSample(host) },
        AuditCase(entry: "publication.created \(www)") { try publish(host, in: $0) },
        AuditCase(entry: "publication.cancelled \(www)") { tenant in
            if let last = try tenant.publications(host, Page()).items.first {
                _ = try tenant.cancelPublication(last.id, of: host)
            }
        },
        AuditCase(entry: "publication.created \(www)") { try publish(host, in: $0) },
        AuditCase(entry: "publication.running \(www)") { try $0.begin(last(host, in: $0), attempt: 1) },
        AuditCase(entry: "publication.postponed \(www)") {
            try $0.postpone(last(host, in: $0), until: .distantFuture, attempt: 1, cause: "why")
        },
        AuditCase(entry: "publication.failed \(www)") { _ = try $0.end(last(host, in: $0), as: .failed, cause: "why") },
        AuditCase(entry: "publication.created \(www)") { try publish(host, in: $0) },
        AuditCase(entry: "publication.suspended \(www)") {
            _ = try $0.end(last(host, in: $0), as: .suspended, cause: "why")
        },
        AuditCase(entry: "publication.created \(www)") { try publish(host, in: $0) },
        AuditCase(entry: "publication.live \(www)") { tenant in
            if let last = try tenant.publications(host, Page()).items.first,
                case .done(let activation) = try tenant.activate(
                    tenant.version(1, of: host), of: host, expecting: .anything)
            {
                _ = try tenant.end(last, as: .live, activation: activation)
            }
        },
        AuditCase(entry: "withdrawal.created \(www)") { try withdraw(host, in: $0) },
        AuditCase(entry: "withdrawal.postponed \(www)") { tenant in
            try tenant.postpone(withdrawal(host, in: tenant), until: .distantFuture, attempt: 1, cause: "why")
        },
        AuditCase(entry: "withdrawal.cancelled \(www)") {
            _ = try $0.cancelWithdrawal(withdrawal(host, in: $0).id, of: host)
        },
        AuditCase(entry: "withdrawal.created \(www)") { try withdraw(host, in: $0) },
        AuditCase(entry: "withdrawal.failed \(www)") {
            _ = try $0.end(withdrawal(host, in: $0), as: .failed, cause: "why")
        },
        AuditCase(entry: "withdrawal.created \(www)") { try withdraw(host, in: $0) },
        AuditCase(entry: "withdrawal.withdrawn \(www)") { _ = try $0.withdraw(withdrawal(host, in: $0)) },
        AuditCase(entry: "schedule.created nightly") { tenant in
            _ = try tenant.createSchedule(
                Schedule.Settings(
                    name: "nightly", target: .domain(host), expression: CronExpression(parsing: "@daily"), zone: "UTC"))
        },
        AuditCase(entry: "schedule.changed nightly") { tenant in
            _ = try tenant.updateSchedule(nightly(in: tenant).id, expecting: nil) { old in
                var settings = old
                settings.message += "again"
                return settings
            }
        },
        AuditCase(entry: "schedule.paused nightly") { tenant in
            _ = try tenant.updateSchedule(nightly(in: tenant).id, expecting: nil, state: .paused)
        },
        AuditCase(entry: "schedule.resumed nightly") { tenant in
            _ = try tenant.updateSchedule(nightly(in: tenant).id, expecting: nil, state: .active)
        },
        AuditCase(entry: "schedule.suspended nightly") { try $0.suspend(nightly(in: $0), because: "why") },
        AuditCase(entry: "run.started nightly") { _ = try $0.runNow(nightly(in: $0).id) },
        AuditCase(entry: "run.ended nightly") { tenant in
            if let run = try tenant.runs(of: nightly(in: tenant).id, Page()).items.first { try tenant.end(run) }
        },
        AuditCase(entry: "schedule.deleted nightly") {
            try $0.deleteSchedule(nightly(in: $0).id, expecting: nil)
        },
        AuditCase(entry: "freeze.created *") { tenant in
            _ = try tenant.createFreeze(
                label: nil, reason: "why", endsAt: tenant.clock().addingTimeInterval(3_600))
        },
        AuditCase(entry: "freeze.lifted *") { tenant in
            if let freeze = try tenant.freezes(Page()).items.first { _ = try tenant.liftFreeze(freeze.id) }
        },
        AuditCase(entry: "invitation.created grace@example.com") { tenant in
            _ = try tenant.invite(email: "grace@example.com", name: nil, role: .editor, by: nil, seconds: 60)
        },
        AuditCase(entry: "invitation.renewed grace@example.com") { tenant in
            if let invitation = try tenant.invitations(Page()).items.first {
                _ = try tenant.renewInvitation(invitation.id)
            }
        },
        AuditCase(entry: "invitation.withdrawn grace@example.com") { tenant in
            if let invitation = try tenant.invitations(Page()).items.first {
                _ = try tenant.withdrawInvitation(invitation.id)
            }
        },
        AuditCase(entry: "token.created ci") { _ = try $0.createToken(name: "ci", role: .editor) },
        AuditCase(entry: "token.rotated ci") { tenant in
            if let token = try tenant.tokens().first { _ = try tenant.rotateToken(token.id, overlap: 60) }
        },
        AuditCase(entry: "token.revoked ci") { tenant in
            if let token = try tenant.tokens().first { _ = try tenant.revokeToken(token.id) }
        },
        AuditCase(entry: "provider.set https://id.example.com") { tenant in
            try tenant.setSignInProvider(
                SignInProvider(
                    issuer: "https://id.example.com", clientID: "waymark", clientSecret: "secret",
                    domains: ["example.com"], role: .viewer))
        },
        AuditCase(entry: "provider.removed https://id.example.com") { try $0.removeSignInProvider() },
        AuditCase(entry: "trust.created Deploy") { _ = try $0.createTrust(.sample) },
        AuditCase(entry: "trust.changed Deploy") { tenant in
            guard let trust = try tenant.trusts(Page()).items.first else { return }
            var terms = trust.terms
            terms.grant = Grant(.viewer)
            _ = try tenant.changeTrust(trust, to: terms)
        },
        AuditCase(entry: "trust.refused Deploy") { tenant in
            if let trust = try tenant.trusts(Page()).items.first {
                try tenant.noteRefusal(by: trust, because: "other claims")
            }
        },
        AuditCase(entry: "trust.deleted Deploy") { tenant in
            if let trust = try tenant.trusts(Page()).items.first { try tenant.deleteTrust(trust) }
        },
        AuditCase(entry: "member.role_set ada@example.com") { tenant in
            try tenant.setRole(.owner, of: tenant.system.ensureUser(email: "ada@example.com", name: "Ada"))
        },
        AuditCase(entry: "policy.created *") { tenant in
            _ = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: nil, approvals: 1))
        },
        AuditCase(entry: "policy.changed *") { tenant in
            guard let policy = try tenant.approvalPolicies(Page()).items.first else { return }
            _ = try tenant.changeApprovalPolicy(policy.id, approvals: 2, bypassers: nil)
        },
        AuditCase(entry: "approval.requested ID") { try requestApproval(of: host, in: $0) },
        AuditCase(entry: "approval.commented ID") { _ = try $0.comment(on: lastRequest(in: $0), "why?") },
        AuditCase(entry: "approval.rejected ID") { _ = try $0.reject(lastRequest(in: $0), because: "why") },
        AuditCase(entry: "approval.requested ID") { try requestApproval(of: host, in: $0) },
        AuditCase(entry: "approval.cancelled ID") { tenant in
            _ = try tenant.cancelApprovalRequest(lastRequest(in: tenant), as: .editor)
        },
        AuditCase(entry: "policy.deleted *") { tenant in
            if let policy = try tenant.approvalPolicies(Page()).items.first {
                try tenant.deleteApprovalPolicy(policy.id)
            }
        },
        AuditCase(entry: "member.role_set bob@example.com") { tenant in
            _ = try tenant.addMember(email: "bob@example.com", name: "Bob", role: .viewer)
        },
        AuditCase(entry: "member.removed bob@example.com") { _ = try $0.removeMember("bob@example.com") },
    ] + releaseCases() + replacementCases(app)
}

private func requestApproval(of host: Host, in tenant: TenantTransaction) throws {
    _ = try tenant.requestApproval(of: .hosts([host]), message: "why")
}

private func lastRequest(in tenant: TenantTransaction) throws -> ID<ApprovalRequest> {
    try #require(tenant.approvalRequests(Page()).items.first).id
}

private func releaseCases() -> [AuditCase] {
    let create = AuditCase(entry: "release.created ID") {
        _ = try $0.createRelease(NewRelease(of: .hosts([Host(www)])))
    }
    let endings: [AuditCase] = [Release.State.judged, .refused, .unchanged, .failed, .suspended, .live].map { state in
        AuditCase(entry: "release.\(state) ID") { tenant in
            _ = try tenant.end(lastRelease(in: tenant), as: state, activation: state == .live ? 9 : nil)
        }
    }
    let cancel = AuditCase(entry: "release.cancelled ID") { tenant in
        _ = try tenant.cancelRelease(lastRelease(in: tenant).id)
    }
    let steps: [AuditCase] = [
        AuditCase(entry: "release.scheduled ID") { try $0.advance(lastRelease(in: $0), to: .scheduled) },
        AuditCase(entry: "release.running ID") { try $0.advance(lastRelease(in: $0), to: .running) },
        AuditCase(entry: "release.postponed ID") {
            try $0.postpone(lastRelease(in: $0), until: .distantFuture, cause: "why")
        },
    ]
    return endings.flatMap { [create, $0] } + [create] + steps + [cancel]
}

private func lastRelease(in tenant: TenantTransaction) throws -> Release {
    try #require(tenant.releases(Page()).items.first)
}

private func replacementCases(_ app: AppID) -> [AuditCase] {
    let create = AuditCase(entry: "replacement.created \(app)") { tenant in
        let other = try AppID("ABCDE12345.com.example.other")
        _ = try tenant.createReplacement(of: app, with: other, in: nil, message: "")
    }
    let endings = [Replacement.State.done, .failed].map { state in
        AuditCase(entry: "replacement.\(state) \(app)") { tenant in
            _ = try tenant.end(#require(tenant.replacements(of: app, Page()).items.first), as: state)
        }
    }
    let postpone = AuditCase(entry: "replacement.postponed \(app)") { tenant in
        let running = try #require(tenant.replacements(of: app, Page()).items.first)
        try tenant.postpone(running, until: .distantFuture, cause: "why")
    }
    return endings.flatMap { [create, postpone, $0] }
}

private func save(_ host: Host, _ kind: EventKind, in tenant: TenantTransaction) throws {
    _ = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.draft(host), as: kind, rule: "rule")
}

private func last(_ host: Host, in tenant: TenantTransaction) throws -> Publication {
    try #require(tenant.publications(host, Page()).items.first)
}

private func withdraw(_ host: Host, in tenant: TenantTransaction) throws {
    _ = try tenant.createWithdrawal(of: host, reason: "why", graceSeconds: 60)
}

private func withdrawal(_ host: Host, in tenant: TenantTransaction) throws -> Withdrawal {
    try #require(tenant.withdrawals(host, Page()).items.first)
}

private func nightly(in tenant: TenantTransaction) throws -> Schedule {
    try #require(tenant.schedules(Page()).items.first)
}

private func publish(_ host: Host, in tenant: TenantTransaction) throws {
    _ = try tenant.createPublication(NewPublication(of: host, version: 1, report: Sample.report))
}

@Suite("Audit")
struct AuditTests {
    private struct ChangeOfMind: Error {}

    @Test("every change adds one entry in its own transaction, and none if that is rolled back")
    func entries() async throws {
        try await withStore { test in
            var expected = ["user ada@example.com organization.created acme"]
            #expect(try await test.trail() == expected)
            for change in try cases() {
                await #expect(throws: ChangeOfMind.self) {
                    try await test.write { tenant in
                        try change.change(tenant)
                        throw ChangeOfMind()
                    }
                }
                #expect(try await test.trail() == expected, "\(change.entry), rolled back")
                try await test.write { try change.change($0) }
                expected.append("user ada@example.com \(change.entry)")
                #expect(try await test.trail() == expected, "\(change.entry)")
            }
        }
    }

    /// Other tests cover the rest: a superseded publication (`PublicationTests`), a repaired object (`SinkTests`), the
    /// end of a freeze (`FreezeTests`), an accepted invitation (`InvitationTests`), an alias that goes live or ends
    /// (`AliasEventTests`), an approval that is given or bypassed (`ApprovalTests`), and the deletion of an organization
    /// (`test_leaving.py`).
    @Test("the changes above add every kind of event except twelve")
    func kinds() throws {
        let left = try Set(cases().map { String($0.entry.prefix { $0 != " " }) })
        let all = Set(EventKind.allCases.map(\.rawValue))
        let elsewhere: Set = [
            "organization.created", "organization.deletion_requested", "organization.deletion_cancelled",
            "organization.deleted", "publication.superseded", "sink.repaired", "freeze.ended", "alias.live",
            "alias.ended", "invitation.accepted", "approval.given", "approval.bypassed",
        ]
        #expect(all.subtracting(left) == elsewhere)
        #expect(left.subtracting(all).isEmpty)
    }

    @Test("a refused change adds no entry")
    func refused() async throws {
        let host = try Host(www)
        try await withStore { test in
            let before = try await test.trail()
            await #expect(throws: StorageError.self) { try await test.write { try $0.deleteDomain(host) } }
            await #expect(throws: StorageError.self) { try await test.write { try $0.claim(host) } }
            await #expect(throws: StorageError.self) {
                try await test.write { try $0.renameTeam(TeamID("ABCDE12345"), name: "x") }
            }
            #expect(try await test.trail() == before)
        }
    }

    @Test("a newer publication supersedes the older one, and the trail records it")
    func superseded() async throws {
        let host = try Host(www)
        try await withStore { test in
            try await test.write { tenant in
                try tenant.addVerified(host)
                _ = try tenant.freezeSample(host)
                try publish(host, in: tenant)
            }
            try await test.write { try publish(host, in: $0) }
            let entries = try await test.trail().suffix(2).map {
                $0.split(separator: " ").suffix(2).joined(separator: " ")
            }
            #expect(entries == ["publication.superseded \(www)", "publication.created \(www)"])
            let publications = try await test.read { try $0.publications(host, Page()).items }
            #expect(publications.map(\.state) == [.scheduled, .superseded])
            #expect(try await test.store.read { try $0.jobCount() } == 1)
        }
    }
}
