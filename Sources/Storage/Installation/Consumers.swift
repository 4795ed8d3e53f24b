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
        /// Seconds since what is live went live, where the consumer does not serve it yet.
        public let lag: Int?
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
        /// Since when it is not current.
        public let since: Date?
        /// Why the last attempt has failed.
        public let cause: String?
        /// When all that it lists was compared last with what was seen there.
        public let comparedAt: Date?
    }

    /// What is live; `nil` when nothing is.
    public let live: Domain.Live?
    /// Consumers that have reported within a day, by name.
    public let consumers: [Consumer]
    /// Buckets that a worker has looked after within a day, by name; none where nothing was ever live.
    public let buckets: [Bucket]
    /// What was fetched last first.
    public let fetches: [FetchSummary]
}

extension Installation {
    /// Notes how far a consumer has got, unless a later report of it is known.
    public func note(_ report: ConsumerReport) throws {
        try database.execute(
            """
            insert into consumers (name, kind, process, sequence, activation, hosts, held, held_count)
            values (
              \(report.consumer), \(report.kind.rawValue), \(report.process), \(report.sequence),
              \(report.activation), \(report.hosts), \(report.held), \(report.heldCount))
            on conflict (name) do update
            set kind = excluded.kind, process = excluded.process, sequence = excluded.sequence,
              activation = excluded.activation, hosts = excluded.hosts, held = excluded.held,
              held_count = excluded.held_count, seen_at = now(),
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

extension Tenant {
    /// How far a domain's file has got. Throws `notFound` when there is no such domain.
    ///
    /// A consumer names no more than 100 of the hosts that it holds back: where it holds back more, it counts as
    /// serving none of what is live.
    public func serving(of host: Host) throws -> DomainServing {
        let live = try domain(host).live
        let rows = try database.query(
            """
            select consumers.name, consumers.kind, consumers.activation, consumers.applied_at, consumers.seen_at,
              coalesce(
                consumers.activation >= claims.activation and claims.host <> all(consumers.held)
                  and consumers.held_count <= cardinality(consumers.held),
                false) as is_current,
              greatest(0, floor(extract(epoch from now() - claims.live_since)))::bigint as age
            from consumers
            left join claims on claims.organization_id = \(organization.uuid) and claims.host = \(host.description)
            where consumers.seen_at > now() - interval '1 day'
            order by consumers.name
            limit 100
            """)
        let consumers = try rows.map { row in
            let isCurrent = try live == nil ? nil : row.decode("is_current", as: Bool.self)
            return DomainServing.Consumer(
                name: try row.decode("name", as: String.self),
                kind: try row.value("kind", ConsumerReport.Kind.init(rawValue:)),
                activation: try row.decode("activation", as: Int64?.self),
                appliedAt: try row.decode("applied_at", as: Date.self),
                seenAt: try row.decode("seen_at", as: Date.self), isCurrent: isCurrent,
                lag: isCurrent == false ? try row.decode("age", as: Int?.self) : nil)
        }
        return DomainServing(
            live: live, consumers: consumers, buckets: try sinks(of: host),
            fetches: try fetches(of: host.description))
    }
}
