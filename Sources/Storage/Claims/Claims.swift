public import AASA
import FoundationEssentials
import Postgres
import StrictJSON

/// The live version of a host, as sent to consumers.
public struct LiveHost: Hashable, Sendable {
    /// The host, which may be an alias.
    public let host: String
    /// The activation that made the file live.
    public let activation: Int64
    /// The version's number.
    public let version: Int
    /// The file's SHA-256, 32 bytes.
    public let sha256: [UInt8]
    /// The file's size in bytes.
    public let size: Int
}

/// All live hosts at an activation, or the changes since an earlier one.
public struct LiveHosts: Sendable {
    /// The latest activation, or 0 before the first.
    public let activation: Int64
    /// The hosts with a live file, ordered by the bytes of their names.
    public let hosts: [LiveHost]
    /// The hosts that are no longer live.
    public let ended: [EndedHost]

    /// A host that is no longer live, with the activation that took it out of service.
    public struct EndedHost: Hashable, Sendable {
        /// The host.
        public let host: String
        /// The number of this activation.
        public let activation: Int64
    }
}

extension SystemTransaction {
    /// Returns all live hosts, or the changes after an activation. A single statement reads them, so the result
    /// contains every activation up to the returned one.
    ///
    /// A claim stores the activation of its last change. If it has an activation but no version, its host is no longer
    /// live. If such a claim is deleted, `ended_hosts` keeps its activation, because clients that ask for changes would
    /// otherwise not learn that the host has ended.
    public func liveHosts(after activation: Int64 = 0) throws -> LiveHosts {
        let rows = try database.query(
            """
            select activation_counter.last, claims.host, claims.activation, claims.version, claims.sha256, claims.size
            from (select last from activation_counter limit 1) as activation_counter
            left join (
              select host, activation, version, sha256, size from claims where activation > \(activation)
              union all
              select host, activation, null, null, null from ended_hosts where activation > \(activation)
            ) as claims on true
            order by claims.host collate "C"
            """)
        var hosts: [LiveHost] = []
        var ended: [LiveHosts.EndedHost] = []
        for row in rows {
            guard let host = try row.decode("host", as: String?.self) else { continue }
            let activation = try row.decode("activation", as: Int64.self)
            if let version = try row.decode("version", as: Int?.self) {
                hosts.append(
                    LiveHost(
                        host: host, activation: activation, version: version,
                        sha256: try row.decode("sha256", as: [UInt8].self),
                        size: try row.decode("size", as: Int.self)))
            } else {
                ended.append(LiveHosts.EndedHost(host: host, activation: activation))
            }
        }
        return LiveHosts(
            activation: try rows.first?.decode("last", as: Int64.self) ?? 0, hosts: hosts, ended: ended)
    }

    /// The latest activation.
    public func lastActivation() throws -> Int64 {
        try database.only("select last from activation_counter").decode("last", as: Int64.self)
    }

    /// For each organization, the SHA-256 values among the given ones of files that are live on its hosts.
    public func organizations(withLiveFiles sha256s: [[UInt8]]) throws -> [ID<Organization>: [[UInt8]]] {
        try database.query(
            """
            select wanted.sha256, live.organization_id
            from unnest(\(sha256s)::bytea[]) as wanted (sha256)
            cross join lateral (
              select claims.organization_id from claims where claims.sha256 = wanted.sha256 limit 1
            ) as live
            """
        ).reduce(into: [:]) {
            try $0[$1.id("organization_id"), default: []].append($1.decode("sha256", as: [UInt8].self))
        }
    }
}

extension TenantTransaction {
    /// Claims a host that the organization has verified. An alias of a live domain goes live immediately, even if the
    /// alias itself was withdrawn. Throws `claimedElsewhere` if another organization holds the claim.
    public func claim(_ host: Host) throws -> Domain {
        let domain = try lockedDomain(host)
        if domain.verifiedAt == nil {
            let claimed = try database.execute(
                """
                insert into claims (host, organization_id, domain)
                values (\(host.description), \(organization.uuid), \((domain.aliasOf ?? host).description))
                on conflict (host) do nothing
                """)
            guard claimed == 1 else { throw StorageError.claimedElsewhere }
        } else {
            guard domain.aliasOf != nil, domain.state == .withdrawn else { return domain }
        }
        try followTarget(host)
        let verified = try self.domain(host)
        try audit(
            .domainVerified, host,
            ["aliasOf": .detail(verified.aliasOf), "activation": .detail(verified.live?.activation)])
        return verified
    }

    /// Makes a version live on a domain and on its aliases. The change takes effect when the transaction commits. An
    /// alias that was itself withdrawn does not change.
    ///
    /// - Parameter expected: The live version that the caller expects. `anything` skips the check.
    public func activate(_ version: Version, of host: Host, expecting expected: Expectation) throws -> Activation {
        // Locks the domain's own claim first, in its own statement, so that the next statement sees an alias that was
        // added in the meantime. A domain that has become an alias has no file, so its claim is not found here.
        let own = try database.first(
            """
            select case when version is not null then activation end as activation from claims
            where organization_id = \(organization.uuid) and host = \(host.description)
              and domain = \(host.description)
            for update
            """)
        guard let own else { return .unclaimed }
        let current = try own.decode("activation", as: Int64?.self)
        if case .activation(let activation) = expected, activation != current { return .moved(to: current) }
        let claims = try database.query(
            """
            select host from claims
            where organization_id = \(organization.uuid) and domain = \(host.description) and not left_out
            order by host
            for update
            """)
        try endApprovalRequests(
            publishing: "select \(host.description)::text as host, \(version.sha256)::bytea as sha256")
        try point(claims.map { try $0.decode("host", as: String.self) }, at: version)
        guard let activation = try domain(host).live?.activation else { return .unclaimed }
        return .done(activation)
    }

    /// The result of an activation.
    public enum Activation: Hashable, Sendable {
        /// The version is live when the transaction commits. The value is its activation.
        case done(Int64)
        /// The live version is not the expected one.
        case moved(to: Int64?)
        /// The organization no longer holds the claim, or the claim now serves the file of another domain.
        case unclaimed
    }

    /// The required live version for an activation.
    public enum Expectation: Hashable, Sendable {
        /// This activation, or `nil` if no version may be live.
        case activation(Int64?)
        /// Any live version, or none.
        case anything
    }

    /// Takes a host out of service, with its own activation. For a domain, this includes every alias that serves its
    /// file. These aliases go live again when the domain is published again. An alias that was itself taken out of
    /// service does not.
    ///
    /// - Returns: The host's activation, or `nil` if the organization does not hold its claim.
    func deactivate(_ host: Host) throws -> Int64? {
        guard let own = try lockedClaim(host) else { return nil }
        let isAlias = try own.decode("domain", as: String.self) != host.description
        // A separate statement, as in `activate`. It sees an alias that was added in the meantime.
        let claims = try database.query(
            """
            select host from claims
            where organization_id = \(organization.uuid)
              and (host = \(host.description) or (domain = \(host.description) and version is not null))
            order by host
            for update
            """)
        try change(
            claims.map { try $0.decode("host", as: String.self) },
            "version = null, sha256 = null, size = null, live_since = null, left_out = \(isAlias)")
        return try lockedClaim(host)?.decode("activation", as: Int64?.self)
    }

    /// Takes hosts out of service and gives their claims up, so that other organizations can verify them. Adds an event
    /// for each host.
    ///
    /// - Parameter limit: The maximum number of hosts.
    /// - Returns: The number of hosts.
    func endClaims(limit: Int) throws -> Int {
        let claims = try database.query(
            """
            select host, version is not null as is_live from claims
            where organization_id = \(organization.uuid)
            order by host
            limit \(limit)
            for update
            """)
        let hosts = try claims.map { try $0.decode("host", as: String.self) }
        let live = try zip(hosts, claims).filter { try $1.decode("is_live", as: Bool.self) }.map(\.0)
        try change(live, "version = null, sha256 = null, size = null, live_since = null")
        try database.execute(
            """
            insert into ended_hosts (host, activation)
            select host, activation from claims
            where organization_id = \(organization.uuid) and host = any(\(hosts)) and activation is not null
            on conflict on constraint ended_hosts_key do update set activation = excluded.activation
            """)
        try database.execute(
            """
            insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
            select \(organization.uuid), \(author.kind.rawValue), \(author.name), \(EventKind.domainDeleted.rawValue),
              host, host, json_build_object('activation', activation)
            from claims
            where organization_id = \(organization.uuid) and host = any(\(hosts))
            order by host
            """)
        try database.execute(
            "delete from claims where organization_id = \(organization.uuid) and host = any(\(hosts))")
        return hosts.count
    }

    func releaseClaim(_ host: Host) throws {
        try database.execute(
            "delete from claims where organization_id = \(organization.uuid) and host = \(host.description)")
    }

    /// Locks a host's claim until the transaction ends. This waits for workers that are changing the live version, and
    /// blocks later ones.
    func lockClaim(of host: Host) throws { _ = try lockedClaim(host) }

    /// Whether the host is or was live. Locks its claim until the transaction ends.
    func hasBeenLive(lockingClaimOf host: Host) throws -> Bool {
        try lockedClaim(host)?.decode("activation", as: Int64?.self) != nil
    }

    /// Makes a host serve the file of its new target domain. If that domain is live, the host goes live, even if the
    /// host itself was withdrawn.
    func followTarget(_ host: Host) throws {
        let target = try domain(host).aliasOf ?? host
        // Lock the target's claim first, as in `activate`. Then either a publication of the target includes this alias,
        // or this transaction sees the publication. The fixed order prevents deadlocks.
        let live = try lockedClaim(target)
        let claimed = try database.execute(
            """
            update claims set domain = \(target.description), left_out = false
            where organization_id = \(organization.uuid) and host = \(host.description)
            """)
        guard claimed == 1, target != host, let number = try live?.decode("version", as: Int?.self) else { return }
        try point([host.description], at: version(number, of: target))
    }

    /// A statement that adds an audit entry for each alias among changed claims.
    ///
    /// - Parameter changed: A query for the changed claims, with `host`, `domain`, `version` and `activation`.
    func notifyingAliases(among changed: SQL) -> SQL {
        """
        insert into audit_entries (organization_id, actor_kind, actor_name, action, subject, host, detail)
        select \(organization.uuid), \(author.kind.rawValue), \(author.name),
          case when version is null then \(EventKind.aliasEnded.rawValue) else \(EventKind.aliasLive.rawValue) end,
          host, host, json_build_object('aliasOf', domain, 'version', version, 'activation', activation)
        from \(fragment: changed)
        where host <> domain
        order by activation
        """
    }

    private func lockedClaim(_ host: Host) throws -> Row? {
        try database.first(
            """
            select version, activation, domain from claims
            where organization_id = \(organization.uuid) and host = \(host.description)
            for update
            """)
    }

    private func point(_ hosts: [String], at version: Version) throws {
        try change(
            hosts,
            """
            version = \(version.number), sha256 = \(version.sha256), size = \(version.size),
            live_since = clock_timestamp()
            """)
    }

    /// Changes any number of claims in one statement. Each claim gets its own activation, in the given order. Each
    /// alias among them gets an audit entry; a domain's own change is recorded elsewhere. The row of
    /// `activation_counter` stays locked until this transaction commits.
    private func change(_ hosts: [String], _ columns: SQL) throws {
        guard !hosts.isEmpty else { return }
        let last = try database.only("update activation_counter set last = last + \(hosts.count) returning last")
            .decode("last", as: Int64.self)
        try database.execute(
            """
            with changed as (
              update claims set \(fragment: columns), activation = \(last) - \(hosts.count) + chosen.place
              from unnest(\(hosts)::text[]) with ordinality as chosen (host, place)
              where claims.organization_id = \(organization.uuid) and claims.host = chosen.host
              returning claims.host, claims.domain, claims.version, claims.activation
            )
            \(fragment: notifyingAliases(among: "changed"))
            """)
        try database.notify(Store.liveChannel, String(last))
    }
}
