public import FoundationEssentials
import Postgres

/// The requests of one client in one minute.
public struct RateCount: Hashable, Sendable {
    /// The name of the limit.
    public let policy: String
    /// The client.
    public let subject: UUID
    /// The number of requests.
    public let requests: Int

    /// Creates a count.
    public init(policy: String, subject: UUID, requests: Int) {
        self.policy = policy
        self.subject = subject
        self.requests = requests
    }
}

extension SystemTransaction {
    /// Adds a process's new requests to the sums of all processes, and returns the sums.
    ///
    /// - Parameter minute: The minute since 1970.
    public func add(_ counts: [RateCount], in minute: Int) throws -> [RateCount] {
        // All processes lock the rows in the same order, so that they cannot deadlock.
        let sums = try database.query(
            """
            insert into rate_counts (minute, policy, subject, requests)
            select \(minute)::bigint, policy, subject, requests
            from unnest(
              \(counts.map(\.policy))::text[], \(counts.map(\.subject))::uuid[], \(counts.map(\.requests))::bigint[]
            ) as added (policy, subject, requests)
            order by policy, subject
            on conflict (minute, policy, subject) do update
            set requests = rate_counts.requests + excluded.requests
            returning policy, subject, requests
            """)
        return try sums.map { row in
            RateCount(
                policy: try row.decode("policy", as: String.self), subject: try row.decode("subject", as: UUID.self),
                requests: try row.decode("requests", as: Int.self))
        }
    }

    /// Deletes the counts of the minutes before this one.
    public func forgetRateCounts(before minute: Int) throws {
        try database.execute("delete from rate_counts where minute < \(minute)::bigint")
    }
}
