public import AASA
public import FoundationEssentials
import Postgres
import StrictJSON

extension TenantTransaction {
    /// The replacements of an app, newest first. The page's key is the ID of the last item on the previous page.
    public func replacements(of app: AppID, _ page: Page) throws -> Listing<Replacement> {
        return try list(page, key: \.id.description, reading: { try $0.map(Replacement.init(row:)) }) { page in
            """
            select \(fragment: Replacement.columns) from replacements
            \(fragment: Replacement.counted)
            where replacements.organization_id = \(organization.uuid) and replacements.app_id = \(app.description)
              \(fragment: try page.newestFirst(of: "replacements", Replacement.self, in: organization))
            """
        }
    }

    /// The replacement with this ID. Throws `notFound` if it does not exist.
    public func replacement(_ id: ID<Replacement>) throws -> Replacement {
        let row = try database.first(
            """
            select \(fragment: Replacement.columns) from replacements
            \(fragment: Replacement.counted)
            where replacements.organization_id = \(organization.uuid) and replacements.id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "replacement", key: id.description) }
        return try Replacement(row: row)
    }

    /// The first domains of a replacement whose drafts fail the gate, sorted by host.
    public func refusals(of id: ID<Replacement>) throws -> [Replacement.Refusal] {
        try database.query(
            """
            select host, failures from replacement_domains
            where organization_id = \(organization.uuid) and replacement_id = \(id.uuid) and refused
            order by host
            limit \(Replacement.shownRefusals)
            """
        ).map { Replacement.Refusal(host: try $0.host("host"), failures: try $0.json("failures")) }
    }

    /// Records a replacement and its job. It includes all drafts and tests that contain the app, or those of the chosen
    /// domains. Throws ``UnusableChoice``, or `exists` if the app is already being replaced.
    public func createReplacement(
        of app: AppID, with replacement: AppID, in choice: DomainChoice?, message: String
    ) throws -> Replacement {
        try createReplacement(
            of: app, with: replacement, in: choice, message: message, maximum: Replacement.maximumDomains)
    }

    /// Same as ``createReplacement(_:)``, with a limit other than ``Replacement/maximumDomains``.
    func createReplacement(
        of app: AppID, with replacement: AppID, in choice: DomainChoice?, message: String, maximum: Int
    ) throws -> Replacement {
        let hosts = try choice.map { try self.hosts(of: $0) }
        let id = ID<Replacement>()
        try database.execute(
            """
            insert into replacements (
              organization_id, id, app_id, replacement_app_id, state, message, requester_kind, requester_name)
            values (
              \(organization.uuid), \(id.uuid), \(app.description), \(replacement.description), 'running', \(message),
              \(author.kind.rawValue), \(author.name))
            """)
        let chosen = try database.execute(
            """
            insert into replacement_domains (organization_id, replacement_id, host, state)
            select \(organization.uuid), \(id.uuid), naming.host, 'waiting'
            from (
              select draft_apps.host from draft_apps
              where draft_apps.organization_id = \(organization.uuid) and draft_apps.app_id = \(app.description)
              union
              select tests.host from tests
              where tests.organization_id = \(organization.uuid) and tests.app_id = \(app.description)
            ) as naming
            where \(hosts == nil) or naming.host = any(\(hosts ?? []))
            order by naming.host
            limit \(maximum + 1)
            """)
        guard chosen <= maximum else { throw UnusableChoice(faults: [.tooManyDrafts(maximum)]) }
        try enqueue(.replace, key: id.uuid, at: nil)
        let made = try self.replacement(id)
        try audit(
            .replacementCreated, app.description, act: .replacement(id),
            [
                "replacement": .string(id.description), "with": .string(replacement.description),
                "domains": .int(made.total), "message": .string(message),
            ])
        return made
    }

    /// The replacement with this ID, or `nil` if it does not exist. Locks its row until the transaction ends.
    public func lockedReplacement(_ id: ID<Replacement>) throws -> Replacement? {
        let locked = try database.first(
            """
            select 1 as one from replacements
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for update
            """)
        return locked == nil ? nil : try replacement(id)
    }

    /// The next waiting domains of a replacement after a host, sorted by host.
    public func candidates(of id: ID<Replacement>, after host: Host?, limit: Int) throws -> [DomainCandidate] {
        try candidates(
            """
            select host, null::integer as version from replacement_domains
            where organization_id = \(organization.uuid) and replacement_id = \(id.uuid) and state = 'waiting'
              and host > \(host?.description ?? "")
            order by host
            limit \(limit)
            """)
    }

    /// Locks domains in the order of their hosts. This must be the first lock in the transaction.
    public func lock(_ hosts: [Host]) throws { try lockDomains(hosts.map(\.description)) }

    /// Saves the drafts that have not changed since they were read, each with an audit entry, and the tests of their
    /// domains. Drafts that have changed stay waiting. The caller must have locked the domains with ``lock(_:)``.
    public func write(_ drafts: [ReplacedDraft], of replacement: Replacement) throws {
        let done = try writeDrafts(drafts.filter { $0.draft != nil }, of: replacement)
        let same = drafts.filter { $0.draft == nil }
        let hosts = same.map(\.host.description)
        try database.execute(
            .replanned(
                """
                update replacement_domains set state = 'unchanged'
                from unnest(\(hosts)::text[], \(same.map(\.seenRevision))::bigint[]) as new (host, revision)
                join drafts on drafts.organization_id = \(organization.uuid) and drafts.host = new.host
                  and drafts.revision = new.revision
                where replacement_domains.organization_id = \(organization.uuid)
                  and replacement_domains.replacement_id = \(replacement.id.uuid) and replacement_domains.host = new.host
                  and \(fragment: span("replacement_domains.host", hosts))
                """))
        try writeNamedApps(of: done, replacement)
        try writeTests(of: done + hosts, replacement)
    }

    /// Ends a replacement and its job. The caller must have locked it with ``lockedReplacement(_:)``.
    public func end(
        _ replacement: Replacement, as state: Replacement.State, cause: String? = nil
    ) throws -> Replacement {
        try dequeue(.replace, key: replacement.id.uuid)
        try database.execute(
            """
            update replacements
            set state = \(state.rawValue), cause = \(cause), ended_at = clock_timestamp(),
              counts = (\(fragment: Replacement.counts))
            where organization_id = \(organization.uuid) and id = \(replacement.id.uuid)
            """)
        guard let kind = EventKind(rawValue: "replacement.\(state.rawValue)") else {
            throw CorruptRow(column: "state")
        }
        try audit(
            kind, replacement.app.description, act: .replacement(replacement.id),
            [
                "replacement": .string(replacement.id.description), "changed": .int(replacement.changed),
                "refused": .int(replacement.refused), "cause": .detail(cause),
            ])
        return try self.replacement(replacement.id)
    }

    /// Records a failed attempt and its cause. The next attempt is due at `next`.
    public func postpone(_ replacement: Replacement, until next: Date, cause: String) throws {
        try audit(
            .replacementPostponed, replacement.app.description, act: .replacement(replacement.id),
            [
                "replacement": .string(replacement.id.description), "cause": .string(cause), "nextAt": .detail(next),
            ])
        try database.execute(
            """
            update replacements set cause = \(cause)
            where organization_id = \(organization.uuid) and id = \(replacement.id.uuid)
            """)
    }

    private func writeDrafts(_ drafts: [ReplacedDraft], of replacement: Replacement) throws -> [String] {
        let hosts = drafts.map(\.host.description)
        return try database.query(
            .replanned(
                """
                with new as (
                  select * from unnest(
                    \(hosts)::text[], \(drafts.map(\.seenRevision))::bigint[],
                    \(drafts.map { $0.draft?.json.text ?? "" })::text[], \(drafts.map { digest($0.file) })::bytea[],
                    \(drafts.map(\.file.count))::bigint[], \(drafts.map { JSONValue.array($0.failures).text })::text[]
                  ) as new (host, seen, document, sha256, size, failures)
                ),
                written as (
                  update drafts
                  set revision = drafts.revision + 1, document = new.document::json, file_sha256 = new.sha256,
                    file_size = new.size, updated_at = clock_timestamp()
                  from new
                  join replacement_domains on replacement_domains.organization_id = \(organization.uuid)
                    and replacement_domains.replacement_id = \(replacement.id.uuid)
                    and replacement_domains.host = new.host and replacement_domains.state = 'waiting'
                    and \(fragment: span("replacement_domains.host", hosts))
                  where drafts.organization_id = \(organization.uuid) and drafts.host = new.host
                    and drafts.revision = new.seen
                  returning drafts.host, drafts.revision, new.failures
                ),
                told as (
                  insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
                  select \(organization.uuid), \(replacement.requester.kind.rawValue), \(replacement.requester.name),
                    \(EventKind.draftChanged.rawValue), written.host, written.host,
                    json_build_object('revision', written.revision, 'replacement', \(replacement.id.description)::text)
                  from written
                ),
                edited as (\(fragment: recordEditing("select host, revision from written", by: replacement.requester)))
                update replacement_domains
                set state = 'changed', revision = written.revision, refused = written.failures <> '[]',
                  failures = nullif(written.failures, '[]')::json
                from written
                where replacement_domains.organization_id = \(organization.uuid)
                  and replacement_domains.replacement_id = \(replacement.id.uuid) and replacement_domains.host = written.host
                  and \(fragment: span("replacement_domains.host", hosts))
                returning replacement_domains.host
                """)
        ).map { try $0.decode("host", as: String.self) }
    }

    private func writeNamedApps(of hosts: [String], _ replacement: Replacement) throws {
        try database.execute(
            .replanned(
                """
                delete from draft_apps
                where organization_id = \(organization.uuid) and host = any(\(hosts))
                  and app_id = \(replacement.app.description)
                """))
        try database.execute(
            """
            insert into draft_apps (organization_id, host, app_id)
            select \(organization.uuid), changed.host, \(replacement.replacement.description)
            from unnest(\(hosts)::text[]) as changed (host)
            on conflict do nothing
            """)
    }

    private func writeTests(of hosts: [String], _ replacement: Replacement) throws {
        try database.execute(
            .replanned(
                """
                with changed as (
                  update tests
                  set app_id = \(replacement.replacement.description), revision = revision + 1, updated_at = clock_timestamp()
                  where organization_id = \(organization.uuid) and host = any(\(hosts))
                    and app_id = \(replacement.app.description)
                  returning host, id, url
                ),
                told as (
                  insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
                  select \(organization.uuid), \(replacement.requester.kind.rawValue), \(replacement.requester.name),
                    \(EventKind.testChanged.rawValue), changed.host, changed.host,
                    json_build_object(
                      'test', changed.id, 'url', changed.url, 'replacement', \(replacement.id.description)::text)
                  from changed
                )
                update replacement_domains set tests = counted.tests
                from (select changed.host, count(*) as tests from changed group by changed.host) as counted
                where replacement_domains.organization_id = \(organization.uuid)
                  and replacement_domains.replacement_id = \(replacement.id.uuid) and replacement_domains.host = counted.host
                  and \(fragment: span("replacement_domains.host", hosts))
                """))
    }
}
