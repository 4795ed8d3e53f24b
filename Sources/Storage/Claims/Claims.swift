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

    /// A host that is no longer live, and the activation that ended it.
    public struct EndedHost: Hashable, Sendable {
        /// The host.
        public let host: String
        /// The activation.
        public let activation: Int64
    }
}

extension SystemTransaction {
    /// Returns all live hosts, or the changes after an activation. A single statement reads them, so the result
    /// contains every activation up to the returned one.
    ///
    /// A claim keeps the activation of its last change. If a claim has an activation but no version, the host is no
    /// longer live. Such claims are never deleted; otherwise clients that ask for changes would miss them.
    public func liveHosts(after activation: Int64 = 0) throws -> LiveHosts {
        let rows = try database.query(
            """
            select activation_counter.last, claims.host, claims.activation, claims.version, claims.sha256, claims.size
            from (select last from activation_counter limit 1) as activation_counter
            left join claims on claims.activation > \(activation)
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

    /// For each organization, the SHA-256 of those of the given files that are live for it.
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

    /// Makes a version live on a domain and on its aliases. It is live when the transaction commits. Aliases that were
    /// withdrawn themselves are left out.
    ///
    /// - Parameter expected: The live version that the caller expects. `anything` skips the check.
    public func activate(_ version: Version, of host: Host, expecting expected: Expectation) throws -> Activation {
        // Change the domain's own claim first, in its own statement. The next statement then sees an alias that was
        // added in the meantime. A domain that has become an alias has no file of its own.
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
        /// Any or no live version.
        case anything
    }

    /// Takes a host out of service, with its own activation. For a domain, this includes every alias that serves its
    /// file. These aliases go live again with the domain's next publication. An alias that is itself the host does not.
    ///
    /// - Returns: The host's activation, or `nil` if the organization does not hold its claim.
    func deactivate(_ host: Host) throws -> Int64? {
        guard let own = try lockedClaim(host) else { return nil }
        let isAlias = try own.decode("domain", as: String.self) != host.description
        // A separate statement, as in `activate`, so that it sees an alias that was added in the meantime.
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

    /// Lets a host serve the file of its new target domain. If that domain is live, the host goes live, even if the
    /// host itself was withdrawn.
    func followTarget(_ host: Host) throws {
        let target = try domain(host).aliasOf ?? host
        // Lock the target's claim first, as in `activate`. Then either a publication of the target sees this alias, or
        // this transaction sees the publication. The fixed order prevents deadlocks.
        let live = try lockedClaim(target)
        let claimed = try database.execute(
            """
            update claims set domain = \(target.description), left_out = false
            where organization_id = \(organization.uuid) and host = \(host.description)
            """)
        guard claimed == 1, target != host, let number = try live?.decode("version", as: Int?.self) else { return }
        try point([host.description], at: version(number, of: target))
    }

    /// Adds an audit entry for each alias among changed claims. The rows must have `host`, `domain`, `version` and
    /// `activation`.
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

    /// Changes any number of claims in one statement, each with its own activation, in the given order. Adds an audit
    /// entry for each alias among them; a domain's own change has a separate entry. The counter's row stays locked
    /// until this transaction commits.
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
