public import AASA
public import FoundationEssentials
import Postgres

/// How far a domain's file has got: what is live, which consumers serve it, and who has fetched it.
public struct DomainServing: Hashable, Sendable {
    /// A consumer of the snapshot, as it reported last.
    public struct Consumer: Hashable, Sendable {
        /// Its name, the operator's choice.
        public let name: String
        /// What it is.
        public let kind: ConsumerReport.Kind
        /// The activation that it has applied; `nil` before the first.
        public let activation: Int64?
        /// Since when it has reported this activation.
        public let appliedAt: Date
        /// When it reported last.
        public let seenAt: Date
        /// Whether it serves what is live on the domain; `nil` where nothing is.
        public let isCurrent: Bool?
        /// Whether it may serve an older file of the domain than its activation says.
        public let holdsBack: Bool
        /// The version of the domain that it serves; `nil` where it serves none, or that cannot be told.
        public internal(set) var version: Int?
        /// Seconds since what is live went live, where the consumer does not serve it yet.
        public let lag: Int?
        /// What keeps it from taking over what is offered, as it says; `nil` when all is well.
        public let trouble: String?
        /// Since when it has reported trouble.
        public let troubleSince: Date?
    }

    /// A bucket to which files are pushed.
    public struct Bucket: Hashable, Sendable {
        /// How far it is.
        public enum State: String, Hashable, Sendable {
            /// It was seen to hold what is live at both paths, or nothing where the host was withdrawn.
            case current
            /// Not yet.
            case behind
            /// Not yet, and the last attempt has failed.
            case failing
        }

        /// Its name, the operator's choice.
        public let name: String
        /// How far it is.
        public let state: State
        /// The activation that it was seen to hold at both paths; `nil` before the first.
        public let activation: Int64?
        /// The version of the domain under that activation; `nil` where there is none, or that cannot be told.
        public internal(set) var version: Int?
        /// Since when it is not current.
        public let since: Date?
        /// Why the last attempt has failed.
        public let cause: String?
        /// Why it could not be listed when it was to be compared last.
        public let listingCause: String?
        /// When all that it lists was compared last with what was seen there.
        public let comparedAt: Date?
    }

    /// What is live; `nil` when nothing is.
    public let live: Domain.Live?
    /// Consumers that have reported within a day, by name.
    public internal(set) var consumers: [Consumer]
    /// Buckets that a worker has looked after within a day, by name; none where nothing was ever live.
    public internal(set) var buckets: [Bucket]
    /// What was fetched last first.
    public let fetches: [FetchSummary]
}

extension SystemTransaction {
    /// Notes how far a consumer has got, unless a later report of it is known.
    public func note(_ report: ConsumerReport) throws {
        try database.execute(
            """
            insert into consumers (
              name, kind, process, sequence, activation, hosts, held, held_count, trouble, trouble_since)
            values (
              \(report.consumer), \(report.kind.rawValue), \(report.process), \(report.sequence),
              \(report.activation), \(report.hosts), \(report.held), \(report.heldCount), \(report.trouble),
              case when \(report.trouble)::text is not null then now() end)
            on conflict (name) do update
            set kind = excluded.kind, process = excluded.process, sequence = excluded.sequence,
              activation = excluded.activation, hosts = excluded.hosts, held = excluded.held,
              held_count = excluded.held_count, seen_at = now(), trouble = excluded.trouble,
              trouble_since = case
                when excluded.trouble is not null then coalesce(consumers.trouble_since, now())
              end,
              applied_at = case
                when consumers.activation is distinct from excluded.activation then now()
                else consumers.applied_at
              end
            where consumers.process <> excluded.process or consumers.sequence < excluded.sequence
            """)
        try database.execute("delete from consumers where seen_at < now() - interval '30 days'")
    }

    /// Who has the claim for each of these hosts; hosts without one are left out.
    func organizations(ofHosts hosts: [String]) throws -> [String: ID<Organization>] {
        let rows = try database.query("select host, organization_id from claims where host = any(\(hosts))")
        return Dictionary(
            try rows.map { (try $0.decode("host", as: String.self), try $0.id("organization_id")) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension TenantTransaction {
    /// How far a domain's file has got. Throws `notFound` when there is no such domain.
    ///
    /// A consumer names no more than 100 of the hosts that it holds back: where it holds back more, it counts as
    /// serving none of what is live.
    public func serving(of host: Host) throws -> DomainServing {
        let domain = try self.domain(host)
        let live = domain.live
        let rows = try database.query(
            """
            select consumers.name, consumers.kind, consumers.activation, consumers.applied_at, consumers.seen_at,
              consumers.trouble, consumers.trouble_since,
              (\(host.description) = any(consumers.held) or consumers.held_count > cardinality(consumers.held))
                as holds_back,
              coalesce(consumers.activation >= claims.activation, false) as has_activation,
              greatest(0, floor(extract(epoch from now() - claims.live_since)))::bigint as age
            from consumers
            left join claims on claims.organization_id = \(organization.uuid) and claims.host = \(host.description)
            where consumers.seen_at > now() - interval '1 day'
            order by consumers.name
            limit 100
            """)
        let consumers = try rows.map { row in
            let holdsBack = try row.decode("holds_back", as: Bool.self)
            let isCurrent = try live == nil ? nil : row.decode("has_activation", as: Bool.self) && !holdsBack
            return DomainServing.Consumer(
                name: try row.decode("name", as: String.self),
                kind: try row.value("kind", ConsumerReport.Kind.init(rawValue:)),
                activation: try row.decode("activation", as: Int64?.self),
                appliedAt: try row.decode("applied_at", as: Date.self),
                seenAt: try row.decode("seen_at", as: Date.self), isCurrent: isCurrent,
                holdsBack: holdsBack,
                lag: isCurrent == false ? try row.decode("age", as: Int?.self) : nil,
                trouble: try row.decode("trouble", as: String?.self),
                troubleSince: try row.decode("trouble_since", as: Date?.self))
        }
        var serving = DomainServing(
            live: live, consumers: consumers, buckets: try sinks(of: host),
            fetches: try fetches(of: host.description))
        try tellVersions(in: &serving, of: domain)
        return serving
    }

    /// Fills in which version each has: what is live, or what was at its activation. An alias may have joined its target
    /// later than that, and a host that is held back has an older file than its consumer's activation says: there the
    /// version of those that are behind is not known.
    private func tellVersions(in serving: inout DomainServing, of domain: Domain) throws {
        let behind =
            serving.consumers.filter { $0.isCurrent == false && !$0.holdsBack }.compactMap(\.activation)
            + serving.buckets.filter { $0.state != .current }.compactMap(\.activation)
        let versions = domain.aliasOf == nil ? try self.versions(of: domain.host, liveAt: Set(behind).sorted()) : [:]
        for index in serving.consumers.indices {
            let consumer = serving.consumers[index]
            let old = consumer.holdsBack ? nil : consumer.activation.flatMap { versions[$0] }
            serving.consumers[index].version = consumer.isCurrent == true ? serving.live?.version : old
        }
        for index in serving.buckets.indices {
            let bucket = serving.buckets[index]
            let old = bucket.activation.flatMap { versions[$0] }
            serving.buckets[index].version = bucket.state == .current ? serving.live?.version : old
        }
    }

    /// The versions that were live on a domain at these activations; those at which none was are left out.
    private func versions(of host: Host, liveAt activations: [Int64]) throws -> [Int64: Int] {
        guard !activations.isEmpty else { return [:] }
        let rows = try database.query(
            """
            select asked.activation, moved.version
            from unnest(\(activations)::bigint[]) as asked (activation)
            join lateral (
              select version, activation from publications
              where organization_id = \(organization.uuid) and host = \(host.description) and state = 'live'
                and activation <= asked.activation
              union all
              select null::integer, activation from withdrawals
              where organization_id = \(organization.uuid) and host = \(host.description) and state = 'withdrawn'
                and activation <= asked.activation
              order by activation desc
              limit 1
            ) as moved on moved.version is not null
            """)
        return Dictionary(
            try rows.map { (try $0.decode("activation", as: Int64.self), try $0.decode("version", as: Int.self)) },
            uniquingKeysWith: { first, _ in first })
    }
}
