import AASA
import FoundationEssentials
import Postgres

extension TenantTransaction {
    /// Checks that a role can make a change of a domain. Throws `roleNeeded` if a higher role is required, and another
    /// error if no role can make the change. The caller must have locked the domain and, for an alias, its target. A
    /// new domain has no row yet.
    ///
    /// - Parameters:
    ///   - old: The domain before the change, or `nil` for a new domain.
    ///   - target: The new target, if the domain will be an alias.
    ///   - labels: The new labels, or `nil` if the domain is deleted.
    func require(_ role: Role, toMake host: Host, of old: Domain?, aliasOf target: Host?, labels: [String]?) throws {
        let moves = target != old?.aliasOf
        let named = Set([host] + (moves ? [old?.aliasOf, target].compactMap(\.self) : []))
        let standings = try standings(of: Array(named))
        func standing(_ host: Host) -> DomainStanding { standings[host] ?? DomainStanding(host) }
        let (given, had) = (labels ?? [], old?.labels ?? [])
        let changed = (given + had).filter { given.has($0) != had.has($0) }.sorted()
        var guarded = old == nil ? [] : changed
        if moves, old?.aliasOf != nil { guarded += given + had }
        if moves, let target {
            let known = try self.labels(ofDomainsWith: target, besides: host)
            guarded += given.filter { !known.has($0) }
        }
        let change = DomainChange(
            of: standing(host), isDeletion: labels == nil, leaving: moves ? old?.aliasOf.map(standing) : nil,
            joining: moves ? target.map(standing) : nil, labels: try labelsThatDecide(among: changed),
            policyLabels: try labelsWithApprovalPolicy(among: guarded),
            roleLabels: labels == nil ? [] : try labelsOfLimitedRoles(among: changed))
        switch change.decision {
        case .refused(let error): throw error
        case .allowed(let needed, let reasons):
            guard role >= needed else { throw StorageError.roleNeeded(needed, has: role, because: reasons) }
        }
    }

    /// The labels of a domain and its aliases, besides one of them.
    private func labels(ofDomainsWith target: Host, besides host: Host) throws -> [String] {
        try database.query(
            """
            select distinct unnest(labels) as label from domains
            where organization_id = \(organization.uuid) and host <> \(host.description)
              and (host = \(target.description) or alias_of = \(target.description))
            """
        ).map { try $0.decode("label", as: String.self) }
    }

    /// The pending publications and releases of a domain, and the schedules for this domain alone, in words. At most
    /// 100 of each.
    func pending(on host: Host) throws -> [String] { try standings(of: [host])[host]?.pending ?? [] }

    private func standings(of hosts: [Host]) throws -> [Host: DomainStanding] {
        let rows = try database.query(
            """
            select domains.host, domains.labels, claims.host is not null as is_verified,
              claims.version is not null as is_live,
              claims.version is null and claims.activation is not null as is_withdrawn,
              (
                select min(withdrawals.due_at) from withdrawals
                where withdrawals.organization_id = domains.organization_id and withdrawals.host = domains.host
                  and withdrawals.state = 'pending'
              ) as withdrawal_due_at,
              exists (
                select from freezes
                where freezes.organization_id = domains.organization_id
                  and (freezes.label is null or freezes.label = any(domains.labels))
                  and freezes.lifted_at is null and freezes.ends_at > statement_timestamp()
              ) as is_frozen,
              array(
                select 'the publication ' || publications.id || ' of version ' || publications.version
                from publications
                where publications.organization_id = domains.organization_id and publications.host = domains.host
                  and publications.state in ('scheduled', 'running')
                order by publications.created_at
                limit 100
              ) || array(
                select 'the release ' || releases.id from release_domains
                join releases on releases.organization_id = release_domains.organization_id
                  and releases.id = release_domains.release_id and releases.state in ('judging', 'scheduled', 'running')
                where release_domains.organization_id = domains.organization_id
                  and release_domains.host = domains.host
                order by releases.created_at
                limit 100
              ) || array(
                select 'the schedule ' || schedules.name from schedules
                where schedules.organization_id = domains.organization_id and schedules.host = domains.host
                order by schedules.name
                limit 100
              ) as pending
            from domains
            left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
            where domains.organization_id = \(organization.uuid) and domains.host = any(\(hosts.map(\.description)))
            """)
        return try rows.reduce(into: [:]) { standings, row in
            var standing = DomainStanding(try row.host("host"))
            standing.isVerified = try row.decode("is_verified", as: Bool.self)
            standing.isLive = try row.decode("is_live", as: Bool.self)
            standing.isWithdrawn = try row.decode("is_withdrawn", as: Bool.self)
            standing.withdrawalDueAt = try row.decode("withdrawal_due_at", as: Date?.self)
            standing.isFrozen = try row.decode("is_frozen", as: Bool.self)
            standing.decidingLabels = try labelsThatDecide(among: row.decode("labels", as: [String].self))
            standing.pending = try row.decode("pending", as: [String].self)
            standings[standing.host] = standing
        }
    }

    /// The labels in the list that a schedule or an active freeze uses.
    private func labelsThatDecide(among labels: [String]) throws -> [String] {
        guard !labels.isEmpty else { return [] }
        return try database.query(
            """
            select label from schedules where organization_id = \(organization.uuid) and label = any(\(labels))
            union
            select label from freezes
            where organization_id = \(organization.uuid) and label = any(\(labels)) and lifted_at is null
              and ends_at > statement_timestamp()
            order by label
            """
        ).map { try $0.decode("label", as: String.self) }
    }
}

extension [String] {
    /// Whether the list contains a label. Compares bytes, as the database does. Swift treats the composed and
    /// decomposed forms of an accented letter as equal.
    func has(_ label: String) -> Bool { contains { $0.utf8.elementsEqual(label.utf8) } }
}
