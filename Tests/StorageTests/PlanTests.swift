import AASA
import Postgres
import Storage
import TestSupport
import Testing

/// PostgreSQL's plans for the statements of `Storage`, over tables of ten thousand rows. A plan that reads a whole
/// table is fast in every other test, and slow in service.
@Suite("Query plans")
struct PlanTests {
    /// Ten thousand organizations. A hundred of them have a hundred of everything.
    private static let rows: [SQL] = [
        """
        insert into organizations (id, slug, name)
        select md5('o' || n)::uuid, 'o' || n, 'o' from generate_series(1, 10000) as n
        """,
        """
        insert into users (id, email, name)
        select md5('u' || n)::uuid, n || '@example.com', 'u' from generate_series(1, 10000) as n
        """,
        """
        insert into memberships (organization_id, user_id, role)
        select md5('o' || n % 100 + 1)::uuid, md5('u' || n)::uuid, 'viewer' from generate_series(1, 10000) as n
        """,
        "insert into former_members (organization_id, user_id) select organization_id, user_id from memberships",
        """
        insert into credentials (id, organization_id, secret_sha256, name, role)
        select md5('c' || n)::uuid, md5('o' || n % 100 + 1)::uuid, sha256(n::text::bytea), 'c', 'viewer'
        from generate_series(1, 10000) as n
        """,
        """
        insert into passkeys (id, user_id, credential_id, name, algorithm, public_key, counter)
        select md5('u' || n)::uuid, md5('u' || n)::uuid, sha256(n::text::bytea), 'p', -7, sha256(''), 0
        from generate_series(1, 10000) as n
        """,
        """
        insert into identities (id, issuer, subject, user_id)
        select md5('u' || n)::uuid, 'i', n::text, md5('u' || n)::uuid from generate_series(1, 10000) as n
        """,
        """
        insert into sign_in_providers (organization_id, issuer, client_id, domains, role)
        select id, 'i', 'c', '{}', 'viewer' from organizations
        """,
        """
        insert into sessions (secret_sha256, user_id, expires_at)
        select sha256(n::text::bytea), md5('u' || n)::uuid, now() + '1 day' from generate_series(1, 10000) as n
        """,
        """
        insert into sign_in_codes (code_sha256, user_id, expires_at)
        select sha256(n::text::bytea), md5('u' || n)::uuid, now() + '1 day' from generate_series(1, 10000) as n
        """,
        """
        insert into sign_in_failures (address_sha256, failures, last_at)
        select sha256(n::text::bytea), 1, now() from generate_series(1, 10000) as n
        """,
        """
        insert into sign_ups (code_sha256, email, expires_at)
        select sha256(n::text::bytea), n || '@x.example', now() + '1 hour' from generate_series(1, 10000) as n
        """,
        """
        insert into recovery_codes (code_sha256, user_id)
        select sha256(n::text::bytea), md5('u' || n)::uuid from generate_series(1, 10000) as n
        """,
        """
        insert into invitations (id, organization_id, email, role, code_sha256, inviter_name, expires_at)
        select md5('i' || n)::uuid, md5('o' || n % 100 + 1)::uuid, n || '@x.example', 'viewer', sha256(n::text::bytea),
          'i', now() + '1 day'
        from generate_series(1, 10000) as n
        """,
        """
        insert into trusts (organization_id, id, name, provider, issuer, audience, claims, role, lifetime_seconds)
        select organization_id, id, 't' || id, 'other', 'i', 'a', '{}', 'viewer', 60 from invitations
        """,
        """
        insert into mails (id, kind, recipient, organization_id, invitation_id, details, due_at, ended_at)
        select md5('m' || n)::uuid, 'invitation', n || '@x.example', md5('o' || n % 100 + 1)::uuid, md5('i' || n)::uuid,
          '{}', now() + '1 day', case when n % 100 > 0 then now() end
        from generate_series(1, 10000) as n
        """,
        """
        insert into idempotency_keys (organization_id, caller, key, fingerprint, attempt)
        select md5('o' || n % 100 + 1)::uuid, md5('u' || n)::uuid, n::text, sha256('x'), md5('a' || n)::uuid
        from generate_series(1, 10000) as n
        """,
        """
        insert into account_idempotency_keys (user_id, key, fingerprint, attempt)
        select md5('u' || n)::uuid, n::text, sha256('x'), md5('a' || n)::uuid from generate_series(1, 10000) as n
        """,
        """
        insert into teams (organization_id, team_id, name)
        select md5('o' || o)::uuid, 'TEAM' || lpad(n::text, 6, '0'), 't'
        from generate_series(1, 100) as o, generate_series(1, 100) as n
        """,
        """
        insert into apps (organization_id, app_id, prefix, bundle_id, team_id, name, kind, is_new)
        select organization_id, team_id || '.app', team_id, 'app', team_id, 'a', 'app', false from teams
        """,
        """
        insert into domains (organization_id, host, labels)
        select md5('o' || o)::uuid, 'h' || o || '-' || n || '.example.com', array['l' || n]
        from generate_series(1, 100) as o, generate_series(1, 100) as n
        """,
        """
        insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
        select organization_id, host, 1, '{}', sha256(''), 2 from domains
        """,
        """
        insert into draft_editors (organization_id, host, editor_kind, editor_name, revision)
        select organization_id, host, 'user', 'u', 1 from domains
        """,
        """
        insert into approval_policies (organization_id, id, label, approvals, bypassers)
        select organization_id, md5(host)::uuid, host, 1, '{}' from domains
        """,
        """
        insert into approval_requests (organization_id, id, state, message, requester_kind, requester_name)
        select organization_id, md5(host)::uuid, 'rejected', 'm', 'user', 'u' from domains
        """,
        """
        insert into approval_request_domains (organization_id, request_id, host, draft_revision, sha256, size)
        select organization_id, md5(host)::uuid, host, 1, sha256(host::bytea), 2 from domains
        """,
        """
        insert into approval_reviews (organization_id, id, request_id, kind, text, author_kind, author_name)
        select organization_id, id, id, 'comment', 't', 'user', 'u' from approval_requests
        """,
        """
        insert into approvals (organization_id, request_id, host, approver)
        select organization_id, request_id, host, '1@example.com' from approval_request_domains
        """,
        "insert into draft_apps (organization_id, host, app_id) select organization_id, host, 'a' from domains",
        """
        insert into blobs (organization_id, sha256, bytes)
        select organization_id, sha256(host::bytea), host::bytea from domains
        """,
        """
        insert into versions (
          organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report)
        select organization_id, host, 1, sha256(host::bytea), 2, 1, '', 'user', 'u', '{}' from domains
        """,
        """
        insert into tests (organization_id, id, host, position, url, outcome, note)
        select organization_id, md5(host)::uuid, host, 1, '/', 'none', '' from domains
        """,
        """
        insert into publications (
          organization_id, id, host, version, state, message, overrides, requester_kind, requester_name, report,
          activation, ended_at)
        select organization_id, md5(host)::uuid, host, 1, 'live', '', false, 'user', 'u', '{}',
          row_number() over (), now()
        from domains
        """,
        """
        insert into publication_steps (organization_id, publication_id, number, kind)
        select organization_id, id, 1, 'made' from publications
        """,
        """
        insert into claims (host, organization_id, domain, version, activation, sha256, size, live_since)
        select host, organization_id, host, 1, 1000000 + row_number() over (), sha256(host::bytea), 2, now()
        from domains
        """,
        """
        insert into withdrawals (
          organization_id, id, host, state, reason, requester_kind, requester_name, due_at)
        select organization_id, md5(host)::uuid, host, 'pending', 'r', 'user', 'u', now() from domains
        """,
        """
        insert into schedules (
          organization_id, id, name, label, expression, zone, message, catch_up_seconds, state, handled_until,
          creator_kind, creator_name)
        select organization_id, md5(host)::uuid, host, 'mine', '@daily', 'UTC', '', 0, 'paused', now(), 'user', 'u'
        from domains
        """,
        """
        insert into schedule_runs (
          organization_id, id, schedule_id, due_at, kind, state, hosts, host_count, failed, missed, requester_kind,
          requester_name, ended_at)
        select organization_id, id, id, now(), 'due', 'ended', '{}', 1, 1, 0, 'user', 'u', now() from schedules
        """,
        """
        insert into schedule_outcomes (organization_id, run_id, host, outcome)
        select organization_id, id, name, 'failed' from schedules
        """,
        """
        insert into freezes (organization_id, id, label, reason, creator_kind, creator_name, created_at, ends_at)
        select organization_id, id, 'mine', 'r', 'user', 'u', now() - interval '2 days', now() - interval '1 day'
        from schedules
        """,
        """
        insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
        select organization_id, 'user', 'u', 'domain.created', host, host, '{}' from domains
        """,
        """
        update events set position = places.number
        from (
          select organization_id, entry_id, row_number() over (partition by organization_id order by entry_id) as number
          from events
        ) as places
        where events.organization_id = places.organization_id and events.entry_id = places.entry_id
          and places.number <= 90
        """,
        """
        insert into audit_checkpoints (organization_id, position, digest, key, signature)
        select organization_id, position, sha256(''), 'k', sha256('') || sha256('') from events
        where position is not null
        """,
        "insert into unsealed_trails (organization_id) select id from organizations on conflict do nothing",
        """
        insert into releases (
          organization_id, id, state, message, overrides, dry_run, requester_kind, requester_name, ended_at)
        select organization_id, md5(host)::uuid, 'cancelled', '', false, false, 'user', 'u', now() from domains
        """,
        """
        insert into release_domains (organization_id, release_id, host, state)
        select organization_id, md5(host)::uuid, host, 'frozen' from domains
        """,
        "insert into ended_hosts (host, activation) select 'e' || n, 1000000 + n from generate_series(1, 10000) as n",
        "insert into sinks (name, address) select 's' || n, 'a' from generate_series(1, 2) as n",
        """
        insert into sink_objects (sink, host, path, due_at)
        select sinks.id, claims.host, '/apple-app-site-association',
          case when sinks.name = 's1' then now() - claims.activation % 4 * interval '20 hours' + interval '1 hour' end
        from claims cross join sinks
        """,
        """
        insert into jobs (organization_id, kind, key, due_at)
        select organization_id, 'publish', id, now() + '1 day' from publications
        """,
    ]

    /// Statements that read a whole table on purpose: tables with one or few rows, the whole snapshot, expired rows.
    private static func isMeant(_ statement: String, _ line: String) -> Bool {
        line.contains(" on activation_counter") || line.contains(" on sinks") || line.contains(" on consumers")
            || statement.contains("left join claims on claims.version is not null")
            || statement.contains("where expires_at < clock_timestamp()")
    }

    @Test("no statement reads a whole table")
    func plans() async throws {
        try await withStore(connections: 1) { test in
            // One access each, because an access has a deadline. On a busy machine, all rows take longer than that.
            for statement in Self.rows {
                try await test.asSuperuser { try $0.execute(statement) }
            }
            try await test.analyze()
            let loot = try await Self.runEverything(test)
            #expect(loot > 65, "so few statements were run: \(loot)")
            let plans = try await Self.plans(test)
            for (statement, plan) in plans {
                let scans = plan.filter { $0.contains("Seq Scan on") && !Self.isMeant(statement, $0) }
                #expect(scans.isEmpty, "\(statement)\n\(plan.joined(separator: "\n"))")
            }
            // Ten thousand objects may wait in a bucket. The claimed ones are found in order.
            let claiming = plans.filter { statement, _ in statement.contains("with changes as (") }
            #expect(claiming.count == 1)
            for (statement, plan) in claiming {
                let found = plan.filter { $0.contains("Index Cond: ") && $0.contains("due_at <") }
                #expect(found.count == 2, "\(statement)\n\(plan.joined(separator: "\n"))")
            }
            // An organization may have ten thousand claims, and a publication concerns one of them.
            let ofDomain = plans.filter { statement, _ in statement.contains("and not left_out") }
            #expect(!ofDomain.isEmpty)
            for (statement, plan) in ofDomain {
                #expect(
                    plan.contains { $0.contains("claims_by_domain") }, "\(statement)\n\(plan.joined(separator: "\n"))")
            }
        }
    }

    /// Runs all functions, so that the connection has prepared their statements. Returns the number of statements.
    private static func runEverything(_ test: StoreUnderTest) async throws -> Int {
        let host = try Host(Verb.host)
        let values = try await test.write { tenant in
            let app = try AppID("ABCDE12345.com.example.app")
            _ = try tenant.createTeam(app.prefix, name: "a")
            let invited = try tenant.invite(email: "g@example.com", name: nil, role: .viewer, by: nil, seconds: 60)
            _ = try tenant.renewInvitation(invited.invitation.id, delivery: .mail)
            _ = try tenant.invitations(Page())
            _ = try tenant.invitation(invited.invitation.id)
            let registered = try tenant.createApp(app, teamID: app.prefix, name: "a")
            try tenant.addVerified(host)
            _ = try tenant.updateDomain(host, aliasOf: nil, labels: ["mine"])
            let draft = try tenant.saveDraft(Sample.draft(), of: host, replacing: tenant.draft(host))
            let policy = try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: "mine", approvals: 1))
            let request = try tenant.requestApproval(of: .hosts([host]), message: "m")
            let version = try tenant.freezeSample(host)
            _ = try tenant.activate(version, of: host, expecting: .anything)
            let publication = try tenant.createPublication(NewPublication(of: host, version: 1, report: Sample.report))
            let saved = try tenant.createTest(LinkTest(url: "/", expected: .none), of: host)
            let withdrawal = try tenant.createWithdrawal(of: host, reason: "r", graceSeconds: 600)
            return (
                registered, draft, version, publication, saved, withdrawal, try tenant.addScheduled("r", on: host),
                policy.id, request.id
            )
        }
        let job = try #require(try await test.store.write { try $0.claimJob(leaseSeconds: 0) })
        let loot = Loot(
            app: values.0, draft: values.1, version: values.2, publication: values.3, test: values.4,
            withdrawal: values.5, schedule: values.6.schedule, run: values.6.run, freeze: values.6.freeze, job: job,
            policy: values.7,
            request: values.8)
        for verb in try Verb.all() { _ = try await verb.outcome(in: test, with: loot) }
        try await test.store.write { installation in
            _ = try installation.claimJob(after: job.organization, leaseSeconds: 0)
            _ = try installation.renew(job, leaseSeconds: 1)
            _ = try installation.nextJobDue()
            _ = try installation.parkedJobCount()
            try installation.giveBack(job, seconds: 1)
            let user = try installation.ensureUser(email: "ada@example.com", name: "Ada")
            let code = try installation.createSignInCode(for: user, seconds: 60)
            _ = try installation.useSignInCode(code)
            try installation.mailPasswordReset(to: user.email)
            if let mail = try installation.claimMail(leaseSeconds: 1, prefersAccounts: true) {
                _ = try installation.postponeMail(mail, seconds: 1, maximumAge: 60, cause: "c")
                try installation.endMail(mail)
            }
            try installation.forgetMails()
            try installation.discardMails()
            let session = try installation.openSession(of: user.id)
            _ = try installation.renewSession(session.session.id, isConfirmed: true)
            try installation.count(.signIn(email: user.email))
            try installation.forgetFailures(.signIn(email: user.email))
            _ = try installation.passwordHolder(email: user.email)
            try installation.setPasswordHash("hash", of: user.id)
            _ = try installation.replacePasswordHash("hash", by: "other", of: user.id)
            _ = try installation.holdsPasswordHash("other", of: user.id)
            try? installation.closeSession(session.session.id, of: user.id)
            try installation.closeSessions(of: user.id)
            _ = try installation.sessions(of: user.id)
            _ = try installation.organization(slug: "acme")
            _ = try installation.liveHosts()
            _ = try installation.lastActivation()
            _ = try installation.organizations(withLiveFiles: [digest([])])
            try installation.closeSession(session.secret)
        }
        try await pushSomething(test)
        _ = try await test.store.credential(Secret(prefix: Secret.tokenPrefix))
        return try await prepared(test).count
    }

    private static func pushSomething(_ test: StoreUnderTest) async throws {
        let sink = try await test.store.write { try $0.openSink("s1", at: "a") }
        try await test.store.write { installation in
            try installation.queueChanges(of: sink, atMost: 10)
            _ = try installation.nextObjectDue(of: sink)
            let objects = try installation.claimObjects(of: sink, atMost: 4, leaseSeconds: 60)
            for object in objects.prefix(1) {
                try installation.markCurrent(object, as: installation.want(of: object))
                try installation.requeue(object)
            }
            for object in objects.dropFirst() {
                try installation.postpone(object, seconds: 1, cause: "c")
                try installation.giveBack(object)
            }
        }
    }

    private struct Prepared: Sendable {
        let name: String
        let text: String
        let parameters: Int
    }

    private static func prepared(_ test: StoreUnderTest) async throws -> [Prepared] {
        try await test.database.runtime.read { db in
            try db.query(
                """
                select name, statement, cardinality(parameter_types) as parameters from pg_prepared_statements
                where statement ~* '^\\s*(select|insert|update|delete|with)' and statement !~ 'pg_|set_config'
                order by statement
                """
            ).map { row in
                Prepared(
                    name: try row.decode("name"), text: try row.decode("statement"),
                    parameters: try row.decode("parameters"))
            }
        }
    }

    /// The generic plan of each statement, which serves any value.
    private static func plans(_ test: StoreUnderTest) async throws -> [(String, [String])] {
        let statements = try await prepared(test)
        let organization = test.organization.uuid
        return try await test.database.runtime.write(as: organization) { db in
            try db.execute("select set_config('plan_cache_mode', 'force_generic_plan', true)")
            return try statements.map { statement in
                var values: SQL = ""
                for number in 0..<statement.parameters {
                    values = number == 0 ? "(null" : "\(fragment: values), null"
                }
                if statement.parameters > 0 { values = "\(fragment: values))" }
                let lines = try db.query(
                    "explain (costs off) execute \(identifier: statement.name) \(fragment: values)"
                ).map { try $0.decode(0, as: String.self) }
                return (statement.text, lines)
            }
        }
    }
}
