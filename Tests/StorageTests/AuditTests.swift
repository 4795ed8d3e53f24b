import AASA
import Postgres
import Storage
import Testing

/// One change, and the entry that it leaves.
private struct AuditCase: Sendable, CustomTestStringConvertible {
    let entry: String
    let change: @Sendable (Tenant) throws -> Void
    var testDescription: String { entry }
}

private let www = "www.example.com"

private func cases() throws -> [AuditCase] {
    let host = try Host(www)
    let team = try TeamID("ABCDE12345")
    let app = try AppID("ABCDE12345.com.example.app")
    return [
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
                Sample.draft(), of: host, replacing: tenant.draft(host), action: "draft.imported")
        },
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
        AuditCase(entry: "publication.live \(www)") { tenant in
            if let last = try tenant.publications(host, Page()).items.first,
                case .done(let activation) = try tenant.activate(
                    tenant.version(1, of: host), of: host, expecting: .anything)
            {
                _ = try tenant.end(last, as: .live, activation: activation)
            }
        },
        AuditCase(entry: "token.created ci") { _ = try $0.createToken(name: "ci", role: .editor) },
        AuditCase(entry: "member.role_set ada@example.com") { tenant in
            try tenant.setRole(.owner, of: tenant.installation.ensureUser(email: "ada@example.com", name: "Ada"))
        },
    ]
}

private func publish(_ host: Host, in tenant: Tenant) throws {
    _ = try tenant.createPublication(NewPublication(of: host, version: 1, report: Sample.report))
}

@Suite("Audit")
struct AuditTests {
    private struct ChangeOfMind: Error {}

    @Test("every change leaves one entry, in its own transaction: none when that is rolled back")
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

    @Test("a change that is refused leaves no entry")
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

    @Test("a newer publication ends the older one, and the trail says so")
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
