public import AASA
public import FoundationEssentials
import Postgres

/// The progress of a domain's file: the live version, the consumers that serve it, and its fetches.
public struct DomainServing: Hashable, Sendable {
    /// A consumer of the snapshot, by its last report.
    public struct Consumer: Hashable, Sendable {
        /// The consumer's name. The operator chooses it.
        public let name: String
        /// The kind of consumer.
        public let kind: ConsumerReport.Kind
        /// The activation of the applied manifest, or `nil` if none was applied.
        public let activation: Int64?
        /// The time when it first reported this activation.
        public let appliedAt: Date
        /// The time of its last report.
        public let seenAt: Date
        /// Whether it serves the live version of the domain, or `nil` if no version is live.
        public let isCurrent: Bool?
        /// Whether it may serve an older file of the domain than the one at its activation.
        public let holdsBack: Bool
        /// The version that it serves, or `nil` if it serves none or the version is unknown.
        public internal(set) var version: Int?
        /// The number of seconds for which the live version has been live without being served, or `nil` if it is
        /// served.
        public let lag: Int?
        /// The reason why it cannot apply the newest manifest, as reported, or `nil` if it can.
        public let trouble: String?
        /// The time since when it has reported this problem.
        public let troubleSince: Date?
    }

    /// A bucket that receives files.
    public struct Bucket: Hashable, Sendable {
        /// The state of the domain's file in it.
        public enum State: String, Hashable, Sendable {
            /// The bucket has the live version at both paths, or nothing after a withdrawal.
            case current
            /// The bucket is not up to date yet.
            case behind
            /// The bucket is not up to date, and the last attempt failed.
            case failing
        }

        /// The bucket's name. The operator chooses it.
        public let name: String
        /// The state of the file in the bucket.
        public let state: State
        /// The activation at both paths, or `nil` if the bucket has no file of the host there.
        public let activation: Int64?
        /// The domain's version with that activation, or `nil` without an activation or if the version is unknown.
        public internal(set) var version: Int?
        /// The time since when it has not been up to date.
        public let since: Date?
        /// The cause of the last failed attempt.
        public let cause: String?
        /// The cause of the last failed listing.
        public let listingCause: String?
        /// The time of the last comparison of the whole bucket.
        public let comparedAt: Date?
    }

    /// The live version, or `nil` if no version is live.
    public let live: Domain.Live?
    /// The consumers with a report in the last day, sorted by name.
    public internal(set) var consumers: [Consumer]
    /// The buckets that a worker has used in the last day, sorted by name. Empty if the domain was never live.
    public internal(set) var buckets: [Bucket]
    /// The fetches, latest first.
    public let fetches: [FetchSummary]
}

extension DomainServing {
    /// The consumers with a report in the last day, at most 100.
    static let reportingConsumers: SQL = """
        select activation, held, held_count from consumers
        where seen_at > now() - interval '1 day'
        order by name
        limit 100
        """
}

extension SystemTransaction {
    /// Records a consumer's progress, unless a later report is already stored.
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

    /// The organizations that hold the claims for these hosts. Hosts without a claim are left out.
    func organizations(ofHosts hosts: [String]) throws -> [String: ID<Organization>] {
        let rows = try database.query("select host, organization_id from claims where host = any(\(hosts))")
        return Dictionary(
            try rows.map { (try $0.decode("host", as: String.self), try $0.id("organization_id")) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension TenantTransaction {
    /// The progress of a domain's file. Throws `notFound` if the domain does not exist.
    ///
    /// A consumer's report lists at most 100 of the hosts that it holds back. If it holds back more, this domain is
    /// shown as not up to date on the consumer.
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
        try addVersions(in: &serving, of: domain)
        return serving
    }

    /// Adds the version of each consumer and bucket: the live version, or the version at its activation. If a
    /// consumer or bucket is not up to date, its version stays unknown in two cases: the host is held back, or is an
    /// alias that may have joined its target later.
    private func addVersions(in serving: inout DomainServing, of domain: Domain) throws {
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

    /// The versions of a domain that were live at these activations. Activations without a version are left out.
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
