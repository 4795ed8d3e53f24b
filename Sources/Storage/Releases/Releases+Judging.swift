public import AASA
import FoundationEssentials
import Postgres
public import StrictJSON

/// The verdict on a domain of a release.
public struct ReleaseVerdict: Sendable {
    /// The domain.
    public let host: Host
    /// `passed`, `refused` or `unchanged`.
    public let state: ReleaseDomain.State
    /// The draft's revision, or `nil` if a version is published again.
    public let draftRevision: Int?
    /// The judged bytes.
    public let file: [UInt8]
    /// The gate's report, or `nil` if the gate did not run.
    public let report: JSONValue?
    /// The results of the tests.
    public let testResults: JSONValue
    /// The failed checks, each as `{check, detail}`.
    public let failures: [JSONValue]
    /// The live activation.
    public let madeAgainst: Int64?
    /// True if it passed only because the requester bypasses the required approvals.
    public let bypassesApproval: Bool

    /// Creates a verdict.
    public init(
        host: Host, state: ReleaseDomain.State, draftRevision: Int?, file: [UInt8], report: JSONValue?,
        testResults: JSONValue, failures: [JSONValue], madeAgainst: Int64?, bypassesApproval: Bool = false
    ) {
        self.host = host
        self.state = state
        self.draftRevision = draftRevision
        self.file = file
        self.report = report
        self.testResults = testResults
        self.failures = failures
        self.madeAgainst = madeAgainst
        self.bypassesApproval = bypassesApproval
    }
}

extension TenantTransaction {
    /// The next domains of a release that are not judged yet, in their current state, sorted by host.
    public func candidates(of id: ID<Release>, limit: Int) throws -> [DomainCandidate] {
        try candidates(
            """
            select release_domains.host, release_domains.version from release_domains
            where release_domains.organization_id = \(organization.uuid) and release_domains.release_id = \(id.uuid)
              and release_domains.state = 'waiting'
            order by release_domains.host
            limit \(limit)
            """)
    }

    /// Records verdicts on domains that were waiting, and stores the files that passed. The files of unchanged domains
    /// are already stored. Versions get their numbers later.
    public func record(_ verdicts: [ReleaseVerdict], of release: Release) throws {
        let passed = verdicts.filter { $0.state == .passed }
        let hosts = verdicts.map(\.host.description)
        try database.execute(
            """
            insert into blobs (organization_id, sha256, bytes)
            select \(organization.uuid), new.sha256, new.bytes
            from unnest(\(passed.map { digest($0.file) })::bytea[], \(passed.map(\.file))::bytea[]) as new (sha256, bytes)
            order by new.sha256
            on conflict do nothing
            """)
        // In these arrays, an empty text and -1 mean null.
        try database.execute(
            .replanned(
                """
                update release_domains
                set state = new.state, draft_revision = nullif(new.draft_revision, -1),
                  sha256 = case when new.state in ('passed', 'unchanged') then new.sha256 end, size = new.size,
                  report = nullif(new.report, '')::json, test_results = new.test_results::json,
                  failures = nullif(new.failures, '[]')::json,
                  made_against = coalesce(release_domains.made_against, nullif(new.made_against, -1))
                from unnest(
                  \(hosts)::text[], \(verdicts.map(\.state.rawValue))::text[],
                  \(verdicts.map { $0.draftRevision ?? -1 })::bigint[], \(verdicts.map { digest($0.file) })::bytea[],
                  \(verdicts.map(\.file.count))::bigint[], \(verdicts.map { $0.report?.text ?? "" })::text[],
                  \(verdicts.map(\.testResults.text))::text[], \(verdicts.map { JSONValue.array($0.failures).text })::text[],
                  \(verdicts.map { $0.madeAgainst ?? -1 })::bigint[]
                ) as new (host, state, draft_revision, sha256, size, report, test_results, failures, made_against)
                where release_domains.organization_id = \(organization.uuid)
                  and release_domains.release_id = \(release.id.uuid) and release_domains.host = new.host
                  and release_domains.state = 'waiting' and \(fragment: span("release_domains.host", hosts))
                """))
        let bypassed = verdicts.filter { $0.state == .passed && $0.bypassesApproval }.count
        guard bypassed > 0, !release.isDryRun else { return }
        try audit(
            .approvalBypassed, release.id.description, concerning: .release(release.id),
            [
                "release": .string(release.id.description), "files": .int(bypassed),
                "reason": .detail(release.reason), "requestedBy": .string(release.requester.name),
            ])
        try mailOwners(
            aboutBypassOf: "release \(release.id)", by: release.requester.name, reason: release.reason)
    }

    /// Locks the next domains of a release that have passed, in the order of their hosts. This must be the first lock
    /// in the transaction.
    public func lockNextToFreeze(of id: ID<Release>, limit: Int) throws -> [String] {
        let hosts = try database.query(
            """
            select host from release_domains
            where organization_id = \(organization.uuid) and release_id = \(id.uuid) and state = 'passed'
            order by host
            limit \(limit)
            """
        ).map { try $0.decode("host", as: String.self) }
        try lockDomains(hosts)
        return hosts
    }

    /// Saves versions for the domains that ``lockNextToFreeze(of:limit:)`` has locked, each with its next number.
    /// Versions that are published again already have a number.
    public func freeze(_ hosts: [String], of release: Release) throws {
        try database.execute(
            .replanned(
                """
                with numbered as (
                  update domains set last_version = domains.last_version + 1
                  from release_domains
                  where release_domains.organization_id = \(organization.uuid)
                    and release_domains.release_id = \(release.id.uuid) and release_domains.state = 'passed'
                    and \(fragment: span("release_domains.host", hosts))
                    and release_domains.version is null and domains.organization_id = \(organization.uuid)
                    and domains.host = release_domains.host
                  returning domains.host, domains.last_version, release_domains.draft_revision, release_domains.sha256
                ),
                frozen as (
                  insert into versions (
                    organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report,
                    test_results, editors)
                  select \(organization.uuid), numbered.host, numbered.last_version, release_domains.sha256,
                    release_domains.size, release_domains.draft_revision, \(release.message),
                    \(release.requester.kind.rawValue), \(release.requester.name), release_domains.report,
                    release_domains.test_results,
                    array(
                      \(fragment: draftEditors(of: "numbered.host", at: "release_domains.draft_revision"))
                      order by editor)
                  from numbered
                  join release_domains on release_domains.organization_id = \(organization.uuid)
                    and release_domains.release_id = \(release.id.uuid) and release_domains.host = numbered.host
                    and \(fragment: span("release_domains.host", hosts))
                ),
                told as (
                  insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
                  select \(organization.uuid), \(release.requester.kind.rawValue), \(release.requester.name),
                    \(EventKind.versionCreated.rawValue), numbered.host, numbered.host,
                    json_build_object(
                      'version', numbered.last_version, 'sha256', encode(numbered.sha256, 'hex'),
                      'draftRevision', numbered.draft_revision, 'message', \(release.message)::text)
                  from numbered
                )
                update release_domains
                set state = 'frozen', version = coalesce(release_domains.version, (
                  select numbered.last_version from numbered where numbered.host = release_domains.host))
                where organization_id = \(organization.uuid) and release_id = \(release.id.uuid) and state = 'passed'
                  and \(fragment: span("release_domains.host", hosts))
                """))
    }

    /// Locks domains in the order of their hosts, like all code that locks several domains.
    func lockDomains(_ hosts: [String]) throws {
        _ = try database.execute(
            .replanned(
                """
                select host from domains
                where organization_id = \(organization.uuid) and host = any(\(hosts))
                order by host
                for update
                """))
    }
}
