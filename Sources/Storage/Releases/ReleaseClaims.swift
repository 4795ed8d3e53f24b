import FoundationEssentials
import Postgres
import StrictJSON

/// A freeze started while a release was going live.
public struct FreezeBegun: Error, Hashable, Sendable {}

extension TenantTransaction {
    /// Makes all versions of a release live, on the domains and their aliases. Each host gets its own activation. The
    /// activations are assigned together, so that no manifest contains only part of a release.
    ///
    /// If the live version of a domain has changed, a host was withdrawn, or a freeze applies to a domain of a
    /// scheduled release, nothing goes live and the release ends as `suspended`.
    ///
    /// The caller must have locked the domains with ``lockDomains(of:)``, and then the release.
    ///
    /// - Parameter finish: Ends the job. It is called last, so that the job's lease can be renewed until then.
    /// - Returns: The release in its final state.
    /// - Throws: ``FreezeBegun`` if a freeze started in the meantime. Roll the transaction back and retry: the next
    ///   attempt finds the freeze and suspends the release.
    public func activate(_ release: Release, finishing finish: () throws -> Void) throws -> Release {
        try lockClaims(of: release)
        if release.dueAt != nil, let freeze = try freeze(covering: release) {
            try finish()
            return try end(release, as: .suspended, cause: freeze.cause)
        }
        if let blockedReasons = try missingApproval(of: release) ?? markMoved(release) {
            try finish()
            return try end(release, as: .suspended, cause: blockedReasons)
        }
        guard try isWhole(release) else {
            try finish()
            return try end(release, as: .failed, cause: "the saved bytes do not match their digest")
        }
        try endApprovalRequests(
            publishing: """
                select host, sha256 from release_domains
                where organization_id = \(organization.uuid) and release_id = \(release.id.uuid) and state = 'frozen'
                """)
        let last = try point(release)
        try recordSteps(of: release)
        try finish()
        // For a large release, the previous steps can take seconds. Check for a freeze that started in the meantime.
        if release.dueAt != nil, try freeze(covering: release) != nil { throw FreezeBegun() }
        return try end(release, as: .live, activation: last)
    }

    /// Locks the domains with saved versions of a release, in the order of their hosts. This must be the first lock in
    /// the transaction.
    public func lockDomains(of id: ID<Release>) throws {
        let hosts = try database.query(
            """
            select host from release_domains
            where organization_id = \(organization.uuid) and release_id = \(id.uuid) and state = 'frozen'
            """
        ).map { try $0.decode("host", as: String.self) }
        try lockDomains(hosts)
    }

    // Locks the domains' own claims first, as in `activate(_:of:expecting:)`. A second statement locks the claims of
    // their aliases, so that it sees aliases that were added in the meantime. The claims of unchanged domains are
    // locked too, because their live versions must not change.
    private func lockClaims(of release: Release) throws {
        for (isOwn, states) in [(true, ["frozen", "unchanged"]), (false, ["frozen"])] {
            _ = try database.execute(
                .replanned(
                    """
                    select claims.host from claims
                    join release_domains on release_domains.organization_id = \(organization.uuid)
                      and release_domains.release_id = \(release.id.uuid) and release_domains.host = claims.domain
                    where claims.organization_id = \(organization.uuid) and release_domains.state = any(\(states))
                      and (claims.host = claims.domain) = \(isOwn)
                    order by claims.host
                    for update of claims
                    """))
        }
    }

    /// Whether every saved file is byte for byte the judged file.
    private func isWhole(_ release: Release) throws -> Bool {
        try database.first(
            .replanned(
                """
                select 1 as one from release_domains
                join versions on versions.organization_id = release_domains.organization_id
                  and versions.host = release_domains.host and versions.number = release_domains.version
                join blobs on blobs.organization_id = versions.organization_id and blobs.sha256 = versions.sha256
                where release_domains.organization_id = \(organization.uuid)
                  and release_domains.release_id = \(release.id.uuid) and release_domains.state = 'frozen'
                  and (versions.sha256 <> release_domains.sha256 or octet_length(blobs.bytes) <> versions.size
                    or sha256(blobs.bytes) <> versions.sha256)
                limit 1
                """)) == nil
    }

    /// Makes the claims refer to the release's versions, and records a publication for each domain. A single statement
    /// does both, so that it sees the previous live versions.
    ///
    /// - Returns: The latest activation.
    private func point(_ release: Release) throws -> Int64 {
        let drawn = try database.only(
            .replanned(
                """
                update activation_counter set last = last + (
                  select count(*) from claims
                  join release_domains on release_domains.organization_id = \(organization.uuid)
                    and release_domains.release_id = \(release.id.uuid) and release_domains.host = claims.domain
                  where claims.organization_id = \(organization.uuid) and release_domains.state = 'frozen'
                    and not claims.left_out)
                returning last
                """))
        let last = try drawn.decode("last", as: Int64.self)
        let late = Publication.late("statement_timestamp()", due: "\(release.dueAt)::timestamptz")
        try database.execute(
            .replanned(
                """
                with pointed as (
                  select gen_random_uuid() as publication, claims.host, claims.domain,
                    claims.version as version_before, release_domains.version,
                    release_domains.sha256, release_domains.size, release_domains.report, release_domains.made_against,
                    \(release.bypassesApproval) and exists (
                      select from json_array_elements(release_domains.report -> 'checks') as checks (made)
                      where checks.made ->> 'name' = 'approval' and checks.made ->> 'outcome' = 'overridden'
                    ) as bypasses_approval,
                    \(last) + 1 - row_number() over (order by claims.host desc) as activation
                  from claims
                  join release_domains on release_domains.organization_id = \(organization.uuid)
                    and release_domains.release_id = \(release.id.uuid) and release_domains.host = claims.domain
                  where claims.organization_id = \(organization.uuid) and release_domains.state = 'frozen'
                    and not claims.left_out
                ),
                changed as (
                  update claims
                  set version = pointed.version, sha256 = pointed.sha256, size = pointed.size,
                    activation = pointed.activation, live_since = statement_timestamp()
                  from pointed
                  where claims.organization_id = \(organization.uuid) and claims.host = pointed.host
                ),
                recorded as (
                  update release_domains
                  set state = 'live', version_before = pointed.version_before, activation = pointed.activation
                  from pointed
                  where release_domains.organization_id = \(organization.uuid)
                    and release_domains.release_id = \(release.id.uuid) and release_domains.host = pointed.host
                ),
                told as (
                  insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
                  select \(organization.uuid), \(author.kind.rawValue), \(author.name),
                    \(EventKind.publicationLive.rawValue), pointed.host, pointed.host,
                    json_build_object(
                      'publication', pointed.publication, 'version', pointed.version, 'activation', pointed.activation,
                      'back', case when \(release.rollsBack != nil) then true end,
                      'late', case when \(release.effectiveBy != nil) then \(fragment: late) end,
                      'sha256', encode(pointed.sha256, 'hex'),
                      'bypassApproval', case when pointed.bypasses_approval then true end,
                      'release', \(release.id.description)::text)
                  from pointed
                  where pointed.host = pointed.domain
                ),
                told_of_aliases as (\(fragment: notifyingAliases(among: "pointed")))
                insert into publications (
                  organization_id, id, host, version, state, message, reason, overrides, bypasses_approval,
                  requester_kind, requester_name, due_at, effective_by, zone, release_id, made_against, activation,
                  attempts, report, created_at, started_at, ended_at)
                select \(organization.uuid), pointed.publication, pointed.host, pointed.version, 'live', \(release.message),
                  \(release.reason), \(release.overrides), pointed.bypasses_approval,
                  \(release.requester.kind.rawValue), \(release.requester.name), \(release.dueAt), \(release.effectiveBy), \(release.zone),
                  \(release.id.uuid), pointed.made_against, pointed.activation, 1, pointed.report, statement_timestamp(),
                  statement_timestamp(), statement_timestamp()
                from pointed
                where pointed.host = pointed.domain
                """))
        try database.notify(Store.liveChannel, String(last))
        return last
    }

    private func recordSteps(of release: Release) throws {
        try database.execute(
            .replanned(
                """
                insert into publication_steps (organization_id, publication_id, number, kind, at)
                select \(organization.uuid), publications.id, steps.number, steps.kind, publications.created_at
                from publications
                cross join (values (1, 'made'), (2, 'live')) as steps (number, kind)
                where publications.organization_id = \(organization.uuid) and publications.release_id = \(release.id.uuid)
                """))
    }
}
