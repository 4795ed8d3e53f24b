public import AASA
import FoundationEssentials
import Postgres
import StrictJSON

extension Lookup where Value == Domain {
    /// The domain with this host. Throws `notFound` if it does not exist.
    public static func domain(_ host: Host) -> Self {
        Lookup { organization in
            Domain.selecting("select \(host.description) as host", of: organization)
        } decode: { rows in
            guard let row = rows.first else { throw StorageError.notFound(kind: "domain", key: host.description) }
            return try Domain(row: row)
        }
    }
}

extension TenantTransaction {
    /// The organization's domains. One statement selects the hosts of the page, and a second one reads the other
    /// columns for these hosts only.
    public func domains(
        _ page: Page, _ filter: DomainFilter = DomainFilter(), sortedBy order: DomainOrder = .host
    ) throws -> Listing<Domain> {
        guard order != .host else {
            return try Listing(keys: hosts(of: page, filter), of: page) { try domains(named: $0) }
        }
        return try Listing(places: places(of: page, filter, order), of: page, key: \.key) { places in
            try domains(named: places.map(\.host))
        }
    }

    /// The domains with these hosts that exist, in the order of the hosts.
    private func domains(named hosts: [String]) throws -> [Domain] {
        try database.query(
            """
            \(fragment: Domain.selecting("select * from unnest(\(hosts)::text[]) with ordinality as named (host, place)", of: organization))
            order by page.place
            """
        ).map(Domain.init(row:))
    }

    /// The domain with this host. Throws `notFound` if it does not exist.
    public func domain(_ host: Host) throws -> Domain { try read(.domain(host)) }

    /// The live activations of some domains.
    func liveActivations(of hosts: [Host]) throws -> [Host: Int64] {
        try domains(named: hosts.map(\.description)).reduce(into: [:]) { live, domain in
            live[domain.host] = domain.live?.activation
        }
    }

    /// The domains among these hosts whose state is ``Domain/State/live``: the draft generates the live file.
    public func unchanged(among hosts: [Host]) throws -> [Host] {
        try database.query(
            """
            select host from domain_states
            where organization_id = \(organization.uuid) and host = any(\(hosts.map(\.description))) and state = 'live'
            """
        ).map { try $0.host("host") }
    }

    /// Adds an unverified domain with an empty draft. Throws `exists`, `aliasRefused`, `quotaReached`, or `roleNeeded` if
    /// a higher role is required (``DomainChange``).
    public func createDomain(
        _ host: Host, aliasOf target: Host? = nil, labels: [String] = [], as role: Role = .editor
    ) throws -> Domain {
        if let target { try lockAliasTarget(target, for: host) }
        try require(role, toMake: host, of: nil, aliasOf: target, labels: labels)
        try requireRoomForDomain()
        try database.execute(
            """
            insert into domains (organization_id, host, alias_of, labels)
            values (\(organization.uuid), \(host.description), \(target?.description), \(labels))
            """)
        try insertEmptyDraft(host)
        try audit(.domainCreated, host, Self.detail(aliasOf: target, labels: labels))
        return try domain(host)
    }

    private static func detail(aliasOf target: Host?, labels: [String]) -> JSONValue {
        ["aliasOf": .detail(target), "labels": .array(labels.map(JSONValue.string))]
    }

    /// Changes a domain's labels and its alias target.
    ///
    /// Throws `isServed` if the host is in service and the change would turn it from an alias into a domain or back,
    /// because this would change the live file without a publication. Throws `beingWithdrawn` while a withdrawal is
    /// pending, `wouldStop` while a publication on the domain is scheduled, `aliasRefused`, and `roleNeeded` if a
    /// higher role is required (``DomainChange``).
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
        let before = Self.detail(aliasOf: old.aliasOf, labels: old.labels)
        try audit(.domainChanged, host, Self.detail(aliasOf: target, labels: labels).replacing(before))
        if target != old.aliasOf { try followTarget(host) }
        return try domain(host)
    }

    /// Deletes a domain that has no versions and was never live. Throws `inUse` while it has aliases or a schedule of
    /// its own, or is in a pending release; `isServed` if it has a version, or is or was live; and `roleNeeded` if its
    /// verification or labels require a higher role (``DomainChange``).
    public func deleteDomain(_ host: Host, as role: Role = .editor) throws {
        let domain = try lockedDomain(host)
        // The draft is deleted with its domain. Lock it before the claim, because deleting the claim changes
        // `domain_states`.
        try lockDraft(of: host)
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

    /// Returns the domain and locks its row until the transaction ends. `other` is a second domain to lock. Rows of
    /// several domains are locked together, in the order of their hosts, to prevent deadlocks. Throws `notFound` if the
    /// domain does not exist.
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

    /// Checks and locks the target of an alias. It must be a domain of the same organization and not an alias, so there
    /// are no chains.
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
    /// Selects the domains of some hosts, with their drafts, claims and states, in no particular order.
    ///
    /// Each host is looked up separately (`limit 1`). Otherwise PostgreSQL would join whole tables, because it expects
    /// that to be cheap for an organization with only thousands of domains.
    ///
    /// - Parameter hosts: A query that returns each `host` once. Its other columns become columns of `page`.
    fileprivate static func selecting(_ hosts: SQL, of organization: ID<Organization>) -> SQL {
        """
        with reported as materialized (\(fragment: DomainServing.reportingConsumers))
        select
          domains.*,
          array(
            select aliases.host from domains as aliases
            where aliases.organization_id = domains.organization_id and aliases.alias_of = domains.host
            order by aliases.host
          ) as aliases,
          array(
            select draft_apps.app_id from draft_apps
            where draft_apps.organization_id = domains.organization_id and draft_apps.host = domains.host
            order by draft_apps.app_id
            limit \(Self.shownApps)
          ) as app_ids,
          array(
            select coalesce(apps.name, '') from draft_apps
            left join apps on apps.organization_id = draft_apps.organization_id and apps.app_id = draft_apps.app_id
            where draft_apps.organization_id = domains.organization_id and draft_apps.host = domains.host
            order by draft_apps.app_id
            limit \(Self.shownApps)
          ) as app_names,
          (
            select count(*) from draft_apps
            where draft_apps.organization_id = domains.organization_id and draft_apps.host = domains.host
          ) as app_count,
          pending.id as pending_id, pending.version as pending_version, pending.due_at as pending_due_at,
          pending.count as pending_count,
          stopped.id as stopped_id, stopped.version as stopped_version, stopped.state as stopped_state,
          stopped.ended_at as stopped_at, stopped.cause as stopped_cause,
          served.consumers, served.applied,
          \(fragment: Withdrawal.columns),
          \(fragment: Freeze.columns)
        from (\(fragment: hosts)) as page
        cross join lateral (
          select
            domains.organization_id, domains.host, domains.alias_of, domains.labels, domains.created_at,
            drafts.revision, drafts.file_size, drafts.file_sha256, drafts.updated_at,
            claims.claimed_at,
            claims.version as live_version, claims.activation as live_activation, claims.sha256 as live_sha256,
            claims.size as live_size, claims.live_since,
            states.state, states.is_unchecked, states.errors, states.warnings, states.notices, states.tests,
            states.failed
          from domains
          join drafts on drafts.organization_id = domains.organization_id and drafts.host = domains.host
          join domain_states as states
            on states.organization_id = domains.organization_id and states.host = domains.host
          left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
          where domains.organization_id = \(organization.uuid) and domains.host = page.host
          limit 1
        ) as domains
        left join lateral (
          select leaving.* from withdrawals as leaving
          where leaving.organization_id = domains.organization_id
            and leaving.host = any(array[domains.host, domains.alias_of]) and leaving.state = 'pending'
          order by leaving.due_at
          limit 1
        ) as withdrawals on true
        left join lateral (
          select current.* from freezes as current
          where current.organization_id = domains.organization_id
            and (current.label is null or current.label = any(domains.labels))
            and current.lifted_at is null and current.ends_at > statement_timestamp()
          order by current.ends_at desc
          limit 1
        ) as freezes on true
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
            and ended.ended_at > coalesce(domains.live_since, '-infinity')
          order by ended.ended_at desc, ended.id
          limit 1
        ) as stopped on true
        left join lateral (
          select count(*) as consumers, count(*) filter (
              where reported.activation >= domains.live_activation and domains.host <> all(reported.held)
                and reported.held_count <= cardinality(reported.held)) as applied
          from reported
          where domains.live_activation is not null
        ) as served on true
        """
    }
}
