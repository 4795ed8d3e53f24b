public import AASA
import FoundationEssentials
import Postgres
import StrictJSON

extension Lookup where Value == Domain {
    /// One domain. Throws `notFound` if there is none.
    public static func domain(_ host: Host) -> Self {
        Lookup { organization in
            "\(fragment: Domain.selecting(of: organization)) and domains.host = \(host.description)"
        } decode: { rows in
            guard let row = rows.first else { throw StorageError.notFound(kind: "domain", key: host.description) }
            return try Domain(row: row)
        }
    }
}

extension TenantTransaction {
    /// The organization's domains by host. `search` finds part of a host; `label`, `state` and `publication` filter the
    /// list.
    public func domains(
        _ page: Page, search: String? = nil, label: String? = nil, state: Domain.State? = nil,
        publication: Domain.PublicationStanding? = nil
    ) throws -> Listing<Domain> {
        let pattern = search.map(containing)
        let rows = try database.query(
            """
            \(fragment: Domain.selecting(of: organization))
              and domains.host > \(page.after ?? "")
              and (\(pattern)::text is null or domains.host like \(pattern))
              and (\(label)::text is null or domains.labels @> array[\(label)]::text[])
              and (\(state?.rawValue)::text is null or standing.state = \(state?.rawValue))
              \(fragment: publication?.condition(in: organization) ?? "")
            order by domains.host
            limit \(page.rowsToRead)
            """)
        return Listing(reading: try rows.map(Domain.init(row:)), of: page, key: \.host.description)
    }

    /// One domain. Throws `notFound` if there is none.
    public func domain(_ host: Host) throws -> Domain { try read(.domain(host)) }

    /// The live activations of some domains.
    func liveActivations(of hosts: [Host]) throws -> [Host: Int64] {
        try database.query(
            "\(fragment: Domain.selecting(of: organization)) and domains.host = any(\(hosts.map(\.description)))"
        ).reduce(into: [:]) { live, row in
            let domain = try Domain(row: row)
            live[domain.host] = domain.live?.activation
        }
    }

    /// Those of the domains whose state is ``Domain/State/live``: their drafts generate the live file.
    public func unchanged(among hosts: [Host]) throws -> [Host] {
        try database.query(
            """
            \(fragment: Domain.selecting(of: organization))
              and domains.host = any(\(hosts.map(\.description))) and standing.state = 'live'
            """
        ).map { try $0.host("host") }
    }

    /// Adds an unverified domain with an empty draft. Throws `exists`, `aliasRefused`, or `roleNeeded` if another role
    /// must decide (``DomainChange``).
    public func createDomain(
        _ host: Host, aliasOf target: Host? = nil, labels: [String] = [], as role: Role = .editor
    ) throws -> Domain {
        if let target { try lockAliasTarget(target, for: host) }
        try require(role, toMake: host, of: nil, aliasOf: target, labels: labels)
        try database.execute(
            """
            insert into domains (organization_id, host, alias_of, labels)
            values (\(organization.uuid), \(host.description), \(target?.description), \(labels))
            """)
        try insertEmptyDraft(host)
        try audit(
            .domainCreated, host, ["aliasOf": .detail(target), "labels": .array(labels.map(JSONValue.string))])
        return try domain(host)
    }

    /// Changes a domain's labels and its target as an alias. If the host is served, a change between alias and domain
    /// would change what is live without a publication: `isServed`. Throws `beingWithdrawn` while a withdrawal is
    /// pending, `wouldStop` while something is scheduled to be published on it, `aliasRefused`, and `roleNeeded` if
    /// another role must decide (``DomainChange``).
    public func updateDomain(
        _ host: Host, aliasOf target: Host?, labels: [String], as role: Role = .editor
    ) throws -> Domain {
        let old = try lockedDomain(host, with: target)
        if target != old.aliasOf { try lockClaim(of: host) }
        try require(role, toMake: host, of: old, aliasOf: target, labels: labels)
        if target != old.aliasOf {
            guard target == nil || old.aliases.isEmpty else {
                throw StorageError.aliasRefused(because: "other domains are aliases of \(host)")
            }
            if let target { try lockAliasTarget(target, for: host) }
        }
        try database.execute(
            """
            update domains set alias_of = \(target?.description), labels = \(labels)
            where organization_id = \(organization.uuid) and host = \(host.description)
            """)
        try audit(
            .domainChanged, host, ["aliasOf": .detail(target), "labels": .array(labels.map(JSONValue.string))])
        if target != old.aliasOf { try followTarget(host) }
        return try domain(host)
    }

    /// Removes a domain that has no versions and was never served. Throws `inUse` while it has aliases, or a schedule
    /// for it alone, or is in a pending release; `isServed` if it has a version, or is or was live; and `roleNeeded` if
    /// another role must decide about its verification or its labels (``DomainChange``).
    public func deleteDomain(_ host: Host, as role: Role = .editor) throws {
        let domain = try lockedDomain(host)
        guard try !hasBeenLive(lockingClaimOf: host) else { throw StorageError.isServed }
        guard domain.aliases.isEmpty else {
            throw StorageError.inUse(kind: "domain", usedBy: domain.aliases.map(\.description))
        }
        let pending = try pending(on: host)
        guard pending.isEmpty else { throw StorageError.inUse(kind: "domain", usedBy: pending) }
        try require(role, toMake: host, of: domain, aliasOf: nil, labels: nil)
        try releaseClaim(host)
        try database.execute(
            "delete from domains where organization_id = \(organization.uuid) and host = \(host.description)")
        try audit(.domainDeleted, host)
    }

    /// The domain, its row locked until the transaction ends. `other` is a second domain to lock: rows of several
    /// domains are locked together, by host, so that two changes cannot deadlock. Throws `notFound` if there is no such
    /// domain.
    public func lockedDomain(_ host: Host, with other: Host? = nil) throws -> Domain {
        let hosts = [host, other].compactMap { $0?.description }
        _ = try database.query(
            """
            select host from domains
            where organization_id = \(organization.uuid) and host = any(\(hosts))
            order by host
            for update
            """)
        return try domain(host)
    }

    /// The target of an alias must be a domain of the same organization that is not an alias. There are no chains.
    private func lockAliasTarget(_ target: Host, for host: Host) throws {
        guard target != host else { throw StorageError.aliasRefused(because: "a domain cannot be its own alias") }
        let found = try database.first(
            """
            select alias_of from domains
            where organization_id = \(organization.uuid) and host = \(target.description)
            for update
            """)
        guard let found else { throw StorageError.aliasRefused(because: "there is no domain \(target)") }
        if let other = try found.decode("alias_of", as: String?.self) {
            throw StorageError.aliasRefused(because: "\(target) is itself an alias of \(other)")
        }
    }
}

extension Domain {
    /// Domains with their drafts, claims and states, up to the first condition.
    fileprivate static func selecting(of organization: ID<Organization>) -> SQL {
        """
        select
          domains.host, domains.alias_of, domains.labels, domains.created_at,
          array(
            select aliases.host from domains as aliases
            where aliases.organization_id = domains.organization_id and aliases.alias_of = domains.host
            order by aliases.host
          ) as aliases,
          drafts.revision, drafts.file_size, drafts.file_sha256,
          claims.claimed_at,
          claims.version as live_version, claims.activation as live_activation, claims.sha256 as live_sha256,
          claims.size as live_size, claims.live_since,
          pending.id as pending_id, pending.version as pending_version, pending.due_at as pending_due_at,
          pending.count as pending_count,
          stopped.id as stopped_id, stopped.version as stopped_version, stopped.state as stopped_state,
          stopped.ended_at as stopped_at, stopped.cause as stopped_cause,
          \(fragment: Withdrawal.columns),
          \(fragment: Freeze.columns),
          standing.state
        from domains
        join drafts on drafts.organization_id = domains.organization_id and drafts.host = domains.host
        left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
        left join withdrawals on withdrawals.organization_id = domains.organization_id and withdrawals.id = (
          select pending.id from withdrawals as pending
          where pending.organization_id = domains.organization_id
            and pending.host = any(array[domains.host, domains.alias_of]) and pending.state = 'pending'
          order by pending.due_at
          limit 1
        )
        left join freezes on freezes.organization_id = domains.organization_id and freezes.id = (
          select current.id from freezes as current
          where current.organization_id = domains.organization_id
            and (current.label is null or current.label = any(domains.labels))
            and current.lifted_at is null and current.ends_at > statement_timestamp()
          order by current.ends_at desc
          limit 1
        )
        left join lateral (
          select waiting.id, waiting.version, waiting.due_at, count(*) over () as count
          from publications as waiting
          where waiting.organization_id = domains.organization_id and waiting.host = domains.host
            and waiting.state in ('scheduled', 'running')
          order by waiting.due_at nulls first, waiting.created_at, waiting.id
          limit 1
        ) as pending on true
        left join lateral (
          select ended.id, ended.version, ended.state, ended.ended_at, ended.cause
          from publications as ended
          where ended.organization_id = domains.organization_id and ended.host = domains.host
            and ended.state in ('suspended', 'failed')
            and ended.ended_at > coalesce(claims.live_since, '-infinity')
          order by ended.ended_at desc, ended.id
          limit 1
        ) as stopped on true
        cross join lateral (
          select case
            when claims.left_out then 'withdrawn'
            when domains.alias_of is not null then 'alias'
            when claims.host is null then 'unverified'
            when claims.version is null and claims.activation is not null then 'withdrawn'
            when claims.version is null then 'unpublished'
            when claims.sha256 <> drafts.file_sha256 then 'changed'
            else 'live'
          end as state
        ) as standing
        where domains.organization_id = \(organization.uuid)
        """
    }
}

extension Domain.PublicationStanding {
    /// The condition. The hosts come first, from an index of pending or stopped publications. There are few of them,
    /// and a join would read every domain.
    fileprivate func condition(in organization: ID<Organization>) -> SQL {
        switch self {
        case .pending:
            """
            and domains.host = any(array(
              select host from publications
              where organization_id = \(organization.uuid) and state in ('scheduled', 'running')))
            """
        case .suspended, .failed:
            """
            and domains.host = any(array(
              select host from publications
              where organization_id = \(organization.uuid) and state in ('suspended', 'failed')))
            and stopped.state = \(rawValue)
            """
        }
    }
}
