public import FoundationEssentials
import Postgres

/// The fetches of a version of a domain's file by one kind of client.
public struct FetchSummary: Hashable, Sendable {
    /// The version's number.
    public let version: Int
    /// The kind of client.
    public let client: ConsumerReport.Client
    /// The number of fetches.
    public let count: Int
    /// The time of the first fetch.
    public let firstAt: Date
    /// The time of the last fetch.
    public let lastAt: Date
}

extension TenantTransaction {
    /// The maximum number of rows to read, latest first.
    static let maximumFetches = 60

    /// The fetches of a host's file by version and client, latest first; at most 60.
    func fetches(of host: String) throws -> [FetchSummary] {
        try database.query(
            """
            select version, client, count, first_at, last_at
            from fetches
            where organization_id = \(organization.uuid) and host = \(host)
            order by last_at desc, version desc, client
            limit \(Self.maximumFetches)
            """
        ).map { row in
            FetchSummary(
                version: try row.decode("version", as: Int.self),
                client: try row.value("client", ConsumerReport.Client.init(rawValue:)),
                count: try row.decode("count", as: Int.self),
                firstAt: try row.decode("first_at", as: Date.self),
                lastAt: try row.decode("last_at", as: Date.self))
        }
    }

    /// Adds the fetches of this organization's hosts, unless the report has already been counted.
    func record(_ fetches: [ConsumerReport.Fetches], of report: ConsumerReport) throws {
        let isNew = try database.execute(
            """
            insert into fetch_reports (organization_id, consumer, process, sequence)
            values (\(organization.uuid), \(report.consumer), \(report.process), \(report.sequence))
            on conflict (organization_id, consumer) do update
            set process = excluded.process, sequence = excluded.sequence, counted_at = now()
            where fetch_reports.process <> excluded.process or fetch_reports.sequence < excluded.sequence
            """)
        guard isNew == 1 else { return }
        // Inserted in the order of the key, so that two reports cannot deadlock. Times are limited to now, because a
        // consumer's clock may be fast.
        try database.execute(
            """
            insert into fetches (organization_id, host, version, client, count, first_at, last_at)
            select \(organization.uuid), new.host, new.version, new.client, sum(new.count),
              min(least(to_timestamp(new.first), now())), max(least(to_timestamp(new.last), now()))
            from unnest(
              \(fetches.map(\.host))::text[], \(fetches.map(\.version))::integer[],
              \(fetches.map(\.client.rawValue))::text[], \(fetches.map(\.count))::bigint[],
              \(fetches.map(\.first))::bigint[], \(fetches.map(\.last))::bigint[]
            ) as new (host, version, client, count, first, last)
            join domains on domains.organization_id = \(organization.uuid) and domains.host = new.host
            group by new.host, new.version, new.client
            order by new.host, new.version, new.client
            on conflict (organization_id, host, version, client) do update
            set count = fetches.count + excluded.count,
              first_at = least(fetches.first_at, excluded.first_at),
              last_at = greatest(fetches.last_at, excluded.last_at)
            """)
        try database.execute(
            """
            delete from fetch_reports
            where organization_id = \(organization.uuid) and counted_at < now() - interval '1 day'
            """)
    }
}
