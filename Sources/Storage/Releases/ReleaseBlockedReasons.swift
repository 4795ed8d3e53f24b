import Postgres

extension TenantTransaction {
    /// The reason why a pending release would be suspended if nothing else changes, or `nil` if it would not be. The
    /// release gets the same text as its cause when it is suspended. Freezes are not included.
    public func blockedReason(of release: Release) throws -> String? {
        guard release.state == .scheduled else { return nil }
        if let missing = try missingApproval(of: release) { return missing }
        return try BlockedReason.cause(
            of: database.query(
                .replanned(
                    """
                    select looked_at.host, looked_at.blocked_reason from (\(fragment: blockedReasons(of: release))) as looked_at
                    where looked_at.blocked_reason is not null
                    """)))
    }

    /// Marks the domains that block a release, each with its reason. The caller must hold the locks of the release's
    /// claims.
    ///
    /// - Returns: The reasons and hosts as text, or `nil` if nothing blocks the release.
    func markMoved(_ release: Release) throws -> String? {
        try BlockedReason.cause(
            of: database.query(
                .replanned(
                    """
                    update release_domains
                    set state = 'moved',
                      failures = json_build_array(json_build_object('check', reasons.name, 'detail', reasons.detail))
                    from (\(fragment: blockedReasons(of: release))) as looked_at
                    join unnest(
                      \(BlockedReason.allCases.map(\.rawValue))::text[], \(BlockedReason.allCases.map(\.detail))::text[]
                    ) as reasons (name, detail) on reasons.name = looked_at.blocked_reason
                    where release_domains.organization_id = \(organization.uuid)
                      and release_domains.release_id = \(release.id.uuid) and release_domains.host = looked_at.host
                    returning release_domains.host, looked_at.blocked_reason
                    """)))
    }

    /// A query for the domains of a release, each with the reason why it blocks the release, or null. There are three
    /// reasons:
    /// - The organization has lost the claim.
    /// - The host was withdrawn after the release was created. A release must not undo a withdrawal silently.
    /// - The live version has changed since the judgment, and the release does not override.
    ///
    /// A pending withdrawal does not block a release. It was requested after the judgment, and takes effect at its own
    /// time.
    private func blockedReasons(of release: Release) -> SQL {
        """
        select release_domains.host,
          case
            when claims.host is null then 'verified'
            when release_domains.state = 'frozen' and exists (
              select from withdrawals
              where withdrawals.organization_id = release_domains.organization_id
                and withdrawals.host = release_domains.host
                and withdrawals.state = 'withdrawn' and withdrawals.ended_at > \(release.createdAt))
              then 'withdrawal'
            when \(release.overrides) then null
            when release_domains.state = 'unchanged' and claims.sha256 = release_domains.sha256 then null
            when release_domains.state = 'frozen' and release_domains.made_against is not distinct from
              case when claims.version is not null then claims.activation end then null
            else 'live'
          end as blocked_reason
        from release_domains
        left join claims on claims.organization_id = release_domains.organization_id
          and claims.host = release_domains.host and claims.domain = release_domains.host
        where release_domains.organization_id = \(organization.uuid)
          and release_domains.release_id = \(release.id.uuid)
          and release_domains.state in ('frozen', 'unchanged')
        """
    }
}

/// A reason that blocks a release on a domain.
private enum BlockedReason: String, CaseIterable {
    case live, withdrawal, verified

    /// The detail for the domain.
    var detail: String {
        switch self {
        case .live: "The live version changed after the release was checked."
        case .withdrawal: "The host was withdrawn after the release was created."
        case .verified: "The domain is no longer verified."
        }
    }

    /// The cause for the release, from rows with `host` and `blockedReason`. `nil` without rows.
    static func cause(of rows: [Row]) throws -> String? {
        var hosts: [BlockedReason: [String]] = [:]
        for row in rows {
            hosts[try row.value("blocked_reason", BlockedReason.init(rawValue:)), default: []].append(
                try row.decode("host", as: String.self))
        }
        guard !hosts.isEmpty else { return nil }
        return allCases.compactMap { blockedReason in hosts[blockedReason].map { blockedReason.cause(on: $0.sorted()) }
        }
        .joined(separator: "; ")
    }

    /// The cause with up to five host names.
    private func cause(on hosts: [String]) -> String {
        let words =
            switch self {
            case .live: "the live version changed after the release was checked"
            case .withdrawal: "the host was withdrawn after the release was created"
            case .verified: "the domain is no longer verified"
            }
        let more = hosts.count > 5 ? " and \(hosts.count - 5) more" : ""
        return "\(words): \(hosts.prefix(5).joined(separator: ", "))\(more)"
    }
}
