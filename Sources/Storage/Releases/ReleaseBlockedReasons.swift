import Postgres

extension TenantTransaction {
    /// Why a release that waits would be suspended, as things are, in the words of the cause that it would end with; `nil`
    /// where nothing keeps it back. Freezes aside.
    public func blockedReason(of release: Release) throws -> String? {
        guard release.state == .scheduled else { return nil }
        return try BlockedReason.cause(
            of: database.query(
                .plannedAnew(
                    """
                    select looked_at.host, looked_at.blocked_reason from (\(fragment: blockedReasons(of: release))) as looked_at
                    where looked_at.blocked_reason is not null
                    """)))
    }

    /// Marks the domains that keep a release back, each with why; its claims are locked.
    ///
    /// - Returns: why, and on which domains, in words; `nil` where nothing keeps it back.
    func markMoved(_ release: Release) throws -> String? {
        try BlockedReason.cause(
            of: database.query(
                .plannedAnew(
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

    /// Its domains, each with what keeps it back or null: the claim is not theirs any more; the host has been withdrawn
    /// since the release was made, which it does not undo by the way; something else is live than when they were judged,
    /// unless the release overrides. A withdrawal that is pending keeps nothing back: it was asked for when the domain had
    /// been judged, and ends what is live when its grace is over.
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

/// What keeps a release back on a domain at its time.
private enum BlockedReason: String, CaseIterable {
    case live, withdrawal, verified

    /// For the domain itself.
    var detail: String {
        switch self {
        case .live: "The live version changed after the release was checked."
        case .withdrawal: "The host was withdrawn after the release was created."
        case .verified: "The host is no longer verified for this domain."
        }
    }

    /// For the release, of rows with `host` and `blockedReason`; `nil` when there are none.
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

    /// Five of the hosts are named.
    private func cause(on hosts: [String]) -> String {
        let words =
            switch self {
            case .live: "the live version changed after the release was checked"
            case .withdrawal: "the host was withdrawn after the release was created"
            case .verified: "the host is no longer verified"
            }
        let more = hosts.count > 5 ? " and \(hosts.count - 5) more" : ""
        return "\(words): \(hosts.prefix(5).joined(separator: ", "))\(more)"
    }
}
