import AASA
import FoundationEssentials
import Postgres
import Storage
import TestSupport
import Testing

private let tenantTables = [
    "teams", "apps", "domains", "drafts", "draft_apps", "audit_entries", "blobs", "versions", "publications",
    "publication_steps", "tests", "withdrawals", "schedules", "schedule_runs", "schedule_outcomes", "freezes", "events",
    "idempotency_keys", "approval_policies", "draft_editors", "approval_requests", "approval_request_domains",
    "approval_reviews", "approvals", "audit_checkpoints", "sign_in_providers",
    "former_members",
]

/// Two organizations with the same keys. The rows of another organization must look exactly like rows that do not
/// exist.
@Suite("Isolation", .timeLimit(.minutes(3)))
struct IsolationTests {
    /// Fills an organization. Its words end in the organization's name.
    private static func fill(_ store: StoreUnderTest, claiming: Bool) async throws -> Loot {
        let host = try Host(Verb.host)
        let app = try AppID("ABCDE12345.com.example.app")
        let label = claiming ? "first" : "second"
        let organization = store.organization
        let claim = Verb.claim(in: organization)
        _ = try await IdempotencyClaim.$current.withValue(claim) { try await store.write { try $0.clock() } }
        try await store.write { tenant in
            try tenant.end(
                claim, with: KeptAnswer(status: 201, contentType: nil, location: label, etag: nil, body: nil))
        }
        let loot = try await store.write { tenant in
            _ = try tenant.createTeam(app.prefix, name: "team \(label)")
            let registered = try tenant.createApp(app, teamID: app.prefix, name: "app \(label)")
            _ = try tenant.createDomain(host, labels: ["mine"])
            let draft = try tenant.saveDraft(
                Sample.draft(path: "/\(label)/*"), of: host, replacing: tenant.draft(host))
            if claiming { _ = try tenant.claim(host) }
            let policy = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: "mine", approvals: 1))
            let request = try tenant.requestApproval(of: .hosts([host]), message: "request \(label)")
            let test = try tenant.createTest(LinkTest(url: "/\(label)", expected: .none), of: host)
            let version = try tenant.freeze(
                Sample.file(path: "/\(label)"), of: host, draftRevision: 2, message: "version \(label)",
                report: Sample.report)
            if claiming { _ = try tenant.activate(version, of: host, expecting: .anything) }
            let publication = try tenant.createPublication(
                NewPublication(of: host, version: 1, message: "publication \(label)", report: Sample.report))
            let withdrawal =
                claiming ? try tenant.createWithdrawal(of: host, reason: "reason \(label)", graceSeconds: 600) : nil
            return (registered, draft, version, publication, test, withdrawal, policy.id, request.id)
        }
        let other = Author(kind: .user, name: "bob@\(label).example")
        _ = try await store.store.write(as: organization, by: other) { try $0.approve(loot.7, text: "yes \(label)") }
        let job = try await store.store.write { installation in
            var mine: Job?
            while let job = try installation.claimJob(leaseSeconds: 600) {
                if job.organization == organization { mine = job }
            }
            return mine
        }
        let scheduled = try await store.write { try $0.addScheduled("\(label)", on: host) }
        try await store.write { tenant in
            try tenant.setSignInProvider(
                SignInProvider(
                    issuer: "https://\(label).example", clientID: label, clientSecret: nil, domains: [], role: .viewer))
        }
        try await store.write { tenant in
            _ = try tenant.addMember(email: "gone@\(label).example", name: "Gone", role: .viewer)
            _ = try tenant.removeMember("gone@\(label).example")
        }
        _ = try await store.write { try $0.sealTrail { _ in ("k", Array(repeating: 0, count: 64)) } }
        return Loot(
            app: loot.0, draft: loot.1, version: loot.2, publication: loot.3, test: loot.4,
            withdrawal: loot.5, schedule: scheduled.0, run: scheduled.1, freeze: scheduled.2, job: try #require(job),
            policy: loot.6, request: loot.7)
    }

    /// All rows of an organization, in every table that has one.
    private static func rows(of store: StoreUnderTest) async throws -> [String] {
        let organization = store.organization.uuid
        return try await store.asSuperuser { database in
            var lines: [String] = []
            for table in tenantTables + ["credentials", "claims", "jobs"] {
                let rows = try database.query(
                    """
                    select \(table) || ' ' || rows::text as line from \(identifier: table) as rows
                    where organization_id = \(organization) order by 1
                    """)
                lines += try rows.map { try $0.decode("line", as: String.self) }
            }
            return lines
        }
    }

    /// The outcome of every function for the second organization, beside the first one or alone in the installation.
    private static func outcomes(
        besideAnother: Bool, filled: Bool, loot: Loot, withoutRowLevelSecurity: Bool
    ) async throws -> [String] {
        var outcomes: [String] = []
        try await withStore { first in
            if besideAnother {
                _ = try await fill(first, claiming: true)
            } else {
                // So that jobs have the same numbers here as beside another organization.
                try await first.asSuperuser { database in
                    for _ in 1...4 { try database.execute("select nextval(pg_get_serial_sequence('jobs', 'id'))") }
                }
            }
            let second = try await first.another("second")
            if filled { _ = try await fill(second, claiming: false) }
            if withoutRowLevelSecurity {
                try await first.asSuperuser { database in
                    for table in tenantTables {
                        try database.execute("alter table \(identifier: table) disable row level security")
                    }
                }
            }
            let before = try await rows(of: first)
            for verb in try Verb.all() {
                outcomes.append("\(verb): \(try await verb.outcome(in: second, with: loot))")
                #expect(try await rows(of: first) == before, "\(verb) has changed rows of another organization")
            }
            #expect(besideAnother == (before.count > 8))
        }
        return outcomes
    }

    /// Values that the first organization has.
    private static func stolen() async throws -> Loot {
        var loot: Loot?
        try await withStore { loot = try await fill($0, claiming: true) }
        return try #require(loot)
    }

    @Test(
        "for every function, the rows of another organization do not exist",
        arguments: [false, true], [false, true])
    func verbs(filled: Bool, withoutRowLevelSecurity: Bool) async throws {
        let loot = try await Self.stolen()
        let alone = try await Self.outcomes(
            besideAnother: false, filled: filled, loot: loot, withoutRowLevelSecurity: withoutRowLevelSecurity)
        let beside = try await Self.outcomes(
            besideAnother: true, filled: filled, loot: loot, withoutRowLevelSecurity: withoutRowLevelSecurity)
        #expect(alone == beside)
        #expect(alone.contains { $0.contains("second") } == filled)
    }

    @Test("a statement without a condition sees and changes only the rows of the transaction's organization")
    func rowLevelSecurity() async throws {
        try await withStore { first in
            _ = try await Self.fill(first, claiming: true)
            let second = try await first.another("second")
            _ = try await Self.fill(second, claiming: false)
            // It has nothing live to withdraw.
            let own = second.organization.uuid
            try await second.asSuperuser { database in
                try database.execute(
                    """
                    insert into withdrawals (
                      organization_id, id, host, state, reason, requester_kind, requester_name, due_at)
                    select organization_id, gen_random_uuid(), host, 'pending', 'r', 'user', 'u', now() from domains
                    where organization_id = \(own)
                    """)
            }
            let before = try await Self.rows(of: first)
            let pool = first.database.runtime
            for table in tenantTables {
                let foreign = first.organization.uuid
                let counts = try await pool.read(as: second.organization.uuid) { db in
                    try db.query(
                        """
                        select count(*) filter (where organization_id = \(foreign)), count(*)
                        from \(identifier: table)
                        """
                    ).map { try $0.decode(Int.self, Int.self) }
                }
                #expect(counts.first?.0 == 0, "\(table)")
                #expect((counts.first?.1 ?? 0) > 0, "\(table)")
                #expect(
                    try await pool.read { try $0.query("select 1 from \(identifier: table)").count } == 0,
                    "\(table) without an organization")
            }
            let changes: [SQL] = [
                "update teams set name = 'x'", "update apps set name = 'x'", "update domains set last_version = 9",
                "update drafts set revision = 9", "delete from draft_apps",
                "update publications set state = 'failed', ended_at = now()", "update tests set note = 'x'",
                "update withdrawals set reason = 'x'",
            ]
            for change in changes {
                let changed = try await pool.write(as: second.organization.uuid) { try $0.execute(change) }
                #expect(changed == 1, "\(change)")
                #expect(try await pool.write { try $0.execute(change) } == 0, "\(change) without an organization")
            }
            #expect(try await Self.rows(of: first) == before)
        }
    }

    @Test("a row cannot be written for another organization, or moved to it", arguments: [false, true])
    func writingForOthers(isOwner: Bool) async throws {
        try await withStore { first in
            let second = try await first.another("second")
            let (mine, foreign) = (second.organization.uuid, first.organization.uuid)
            _ = try await second.write { try $0.createTeam(TeamID("ABCDE12345"), name: "ours") }
            let writes: [SQL] = [
                "insert into teams (organization_id, team_id, name) values (\(foreign), 'ABCDE12345', 'x')",
                "update teams set organization_id = \(foreign)",
                """
                insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, detail)
                values (\(foreign), 'user', 'x', 'x', 'x', '{}')
                """,
            ]
            let pool = isOwner ? first.database.owner : first.database.runtime
            for write in writes {
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.write(as: mine) { try $0.execute(write) }
                }
                #expect(error?.sqlState == "42501", "\(write)")
            }
        }
    }

    @Test("a foreign key refuses to point into another organization")
    func foreignKeys() async throws {
        try await withStore { first in
            let second = try await first.another("second")
            _ = try await Self.fill(first, claiming: true)
            let mine = second.organization.uuid
            let writes: [SQL] = [
                """
                insert into apps (app_id, prefix, bundle_id, team_id, name, kind)
                values ('ABCDE12345.a', 'ABCDE12345', 'a', 'ABCDE12345', 'a', 'app')
                """,
                "insert into domains (host, alias_of) values ('a.example.com', 'www.example.com')",
                "insert into claims (host, organization_id, domain) values ('other.example.com', \(mine), 'x')",
                """
                insert into versions (host, number, sha256, size, draft_revision, message, author_kind, author_name, report)
                select host, 1, sha256(''), 2, 1, '', 'user', 'x', '{}' from unnest(array['www.example.com']) as h (host)
                """,
            ]
            for write in writes {
                let error = await #expect(throws: PostgresError.self) {
                    try await first.database.runtime.write(as: mine) { try $0.execute(write) }
                }
                #expect(error?.sqlState == "23503", "\(write)")
            }
        }
    }

    @Test("an organization that does not exist has no rows and can add none")
    func nobody() async throws {
        try await withStore { first in
            _ = try await Self.fill(first, claiming: true)
            let nobody = StoreUnderTest(database: first.database, store: first.store, organization: ID())
            #expect(try await nobody.read { try $0.domains(Page()).items } == [])
            await #expect(throws: PostgresError.self) {
                try await nobody.write { try $0.createTeam(TeamID("ABCDE12345"), name: "x") }
            }
        }
    }
}
