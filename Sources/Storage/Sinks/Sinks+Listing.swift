import Postgres

/// The worker's lease on the listing of a sink has ended, and another worker may have claimed the listing.
public struct SinkListingLost: Error, Hashable {
    /// Creates the error.
    public init() {}
}

extension SystemTransaction {
    /// A claimed listing of a sink.
    public struct Listing: Hashable, Sendable {
        let sink: Int64
        let token: Int64
    }

    /// Claims the listing of a sink if it is due and no other worker holds it. Otherwise returns `nil`.
    public func claimListing(of sink: Sink, leaseSeconds: Int) throws -> Listing? {
        try database.first(
            """
            update sinks
            set listing_token = listing_token + 1,
              listing_due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer)
            where id = \(sink.id) and listing_due_at <= clock_timestamp()
            returning listing_token
            """
        ).map { Listing(sink: sink.id, token: try $0.decode("listing_token", as: Int64.self)) }
    }

    /// Extends the lease of a listing. Returns false if the worker has lost the listing.
    public func renew(_ listing: Listing, leaseSeconds: Int) throws -> Bool {
        try database.execute(
            """
            update sinks set listing_due_at = clock_timestamp() + make_interval(secs => \(leaseSeconds)::integer)
            where id = \(listing.sink) and listing_token = \(listing.token)
            """) == 1
    }

    /// The objects of a bucket in a range of hosts, as its listing shows them. The hosts are in byte order.
    public struct Listed: Sendable {
        /// The hosts.
        public var hosts: [String] = []
        /// The hosts' paths, in the same order.
        public var paths: [String] = []
        /// The entity tags of the last writes, in the same order.
        public var marks: [String] = []
        /// The host after which the range begins, or an empty text for the first range.
        public var after = ""
        /// The last host of the range, or `nil` if the range has no end.
        public var last: String?

        /// Creates an empty list with a range of all hosts.
        public init() {}
    }

    /// Makes an object due if the listing shows a different state than the last known one, or if the object is missing.
    /// Does nothing if another worker now holds the listing.
    ///
    /// - Returns: The number of listed objects that do not belong to a host of this sink.
    public func compare(_ listing: Listing, with objects: Listed) throws -> Int {
        let listed: SQL =
            "unnest(\(objects.hosts), \(objects.paths), \(objects.marks)) as listed (host, path, mark)"
        let foreign = try database.only(
            """
            select count(*) as objects from \(fragment: listed)
            where not exists (
              select from sink_objects
              where sink = \(listing.sink) and sink_objects.host = listed.host and sink_objects.path = listed.path)
            """)
        try database.execute(
            """
            update sink_objects
            set due_at = clock_timestamp(), mark = listed.mark, attempts = 0
            from sink_objects as known
            left join \(fragment: listed) on listed.host = known.host and listed.path = known.path
            where known.sink = \(listing.sink) and known.due_at is null
              and known.host > \(objects.after) and (\(objects.last)::text is null or known.host <= \(objects.last))
              and sink_objects.sink = known.sink and sink_objects.host = known.host
              and sink_objects.path = known.path and sink_objects.due_at is null
              and (
                (known.sha256 is null and listed.mark is not null and known.activation is not null)
                or (known.sha256 is not null and (listed.mark is null or known.mark is distinct from listed.mark)))
              and exists (
                select from sinks where id = \(listing.sink) and listing_token = \(listing.token))
            """)
        return try foreign.decode("objects", as: Int.self)
    }

    /// Ends a listing. The next one is due after `nextInSeconds`. Throws `SinkListingLost`.
    public func end(_ listing: Listing, cause: String?, nextInSeconds: Int) throws {
        let ended = try database.execute(
            """
            update sinks
            set listing_due_at = clock_timestamp() + make_interval(secs => \(nextInSeconds)::integer),
              cause = \(cause), listed_at = case when \(cause)::text is null then clock_timestamp() else listed_at end
            where id = \(listing.sink) and listing_token = \(listing.token)
            """)
        guard ended == 1 else { throw SinkListingLost() }
    }
}
