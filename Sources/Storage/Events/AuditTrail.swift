public import FoundationEssentials
import Postgres
import StrictJSON

/// Signs a message with the installation's key. Returns the key's ID and the signature.
public typealias AuditSigning = @Sendable (_ message: [UInt8]) throws -> (key: String, signature: [UInt8])

extension SystemTransaction {
    /// The organizations that have events without a checkpoint, sorted by ID; at most 100.
    ///
    /// - Parameter last: The last organization that the previous call returned, or `nil` for the first call.
    public func organizationsWithUnsealedTrails(after last: ID<Organization>? = nil) throws -> [ID<Organization>] {
        let after: SQL = last.map { "where organization_id > \($0.uuid)" } ?? ""
        return try database.query(
            """
            select organization_id from unsealed_trails
            \(fragment: after)
            order by organization_id
            limit 100
            """
        ).map { try $0.id("organization_id") }
    }
}

extension TenantTransaction {
    /// The maximum number of entries between two checkpoints.
    public static let maximumEntriesSealedAtOnce = 2_000

    /// Adds a checkpoint that covers the committed entries since the last one, at most
    /// ``maximumEntriesSealedAtOnce``. Other calls for the organization, and calls that number its events, wait until
    /// this transaction ends. Those that write entries do not.
    ///
    /// - Returns: The new checkpoint, or `nil` if all entries have one.
    public func sealTrail(_ sign: AuditSigning) throws -> AuditCheckpoint? {
        // Under the lock that it takes, no event gets a position and no trail is noted as unsealed.
        _ = try placeEvents()
        var chain = try lastChain()
        for line in try trailLines(after: chain.position, limit: Self.maximumEntriesSealedAtOnce) {
            chain.add(line.utf8)
        }
        let hasNews = try chain.position > lastChain().position
        guard hasNews else {
            try database.execute("delete from unsealed_trails where organization_id = \(organization.uuid)")
            return nil
        }
        let now = try database.only("select \(fragment: Self.time("now()")) as now").decode("now", as: String.self)
        let (key, signature) = try sign(AuditCheckpoint.message(about: chain, at: now, in: organization.description))
        try database.execute(
            """
            insert into audit_checkpoints (organization_id, position, digest, made_at, key, signature)
            values (
              \(organization.uuid), \(chain.position), \(chain.digest), \(now)::timestamptz, \(key), \(signature))
            """)
        return AuditCheckpoint(chain: chain, madeAt: now, key: key, signature: signature)
    }

    /// The entries after a position, up to a checkpoint: as many as one checkpoint covers at most.
    ///
    /// - Parameter position: 0, or the position of a checkpoint.
    /// - Returns: The entries, or `nil` if there is no checkpoint at the position. There are no entries if there is no
    ///   later checkpoint. If the beginning of the trail was pruned, 0 stands for the first position that is left.
    public func trail(after position: Int64) throws -> AuditStretch? {
        guard let start = try position == 0 ? firstChain() : checkpoint("position = \(position)")?.chain else {
            return nil
        }
        let end = try checkpoint(
            """
            position > \(start.position) and position <= \(start.position + Int64(Self.maximumEntriesSealedAtOnce))
            order by position desc
            limit 1
            """)
        guard let end else { return AuditStretch(start: start, lines: [], end: nil) }
        let lines = try trailLines(after: start.position, limit: Int(end.chain.position - start.position))
        return AuditStretch(start: start, lines: lines, end: end)
    }

    /// Deletes the entries, and their events and checkpoints, that the last checkpoint before a time covers. The
    /// checkpoint itself stays, as the start of the remaining chain, and so does the newest event, because the next one
    /// continues its position. Requires the role of the tables' owner.
    ///
    /// - Returns: The position of the last deleted entry, or `nil` if there was none to delete.
    public func pruneTrail(before time: Date) throws -> Int64? {
        _ = try placeEvents()
        let newest = try read(.eventNews).newest
        let covering: SQL = "made_at < \(time) and position < \(newest) order by position desc limit 1"
        guard
            let last = try checkpoint(covering)?.chain.position,
            try database.first(
                "select from events where organization_id = \(organization.uuid) and position <= \(last) limit 1")
                != nil
        else { return nil }
        _ = try database.query("select set_config('waymark.pruning', 'on', true)")
        // An entry can only be deleted after its event.
        let entries = try database.query(
            """
            delete from events where organization_id = \(organization.uuid) and position <= \(last)
            returning entry_id
            """
        ).map { try $0.decode("entry_id", as: Int.self) }
        try database.execute(
            "delete from audit_entries where organization_id = \(organization.uuid) and id = any(\(entries))")
        try database.execute(
            "delete from audit_checkpoints where organization_id = \(organization.uuid) and position < \(last)")
        return last
    }

    private func lastChain() throws -> AuditChain {
        try checkpoint("true order by position desc limit 1")?.chain ?? AuditChain(of: organization.description)
    }

    /// The chain before the first entry that is left.
    private func firstChain() throws -> AuditChain {
        let first =
            try database.first(
                """
                select position from events
                where organization_id = \(organization.uuid) and position is not null
                order by position
                limit 1
                """
            )?.decode("position", as: Int64.self) ?? 1
        guard first > 1, let pruned = try checkpoint("position = \(first - 1)") else {
            return AuditChain(of: organization.description)
        }
        return pruned.chain
    }

    private func checkpoint(_ condition: SQL) throws -> AuditCheckpoint? {
        let row = try database.first(
            """
            select position, digest, \(fragment: Self.time("made_at")) as made, key, signature
            from audit_checkpoints
            where organization_id = \(organization.uuid) and \(fragment: condition)
            """)
        return try row.map { row in
            AuditCheckpoint(
                chain: AuditChain(
                    position: try row.decode("position", as: Int64.self),
                    digest: try row.decode("digest", as: [UInt8].self)),
                madeAt: try row.decode("made", as: String.self), key: try row.decode("key", as: String.self),
                signature: try row.decode("signature", as: [UInt8].self))
        }
    }

    /// The line of each entry after a position, oldest first. Digests depend on these lines, so their format must never
    /// change.
    private func trailLines(after position: Int64, limit: Int) throws -> [String] {
        try database.query(
            """
            select events.position, \(fragment: Self.time("entries.at")) as made, entries.actor_kind, entries.actor_name,
              entries.action, entries.subject, entries.host, entries.act, entries.reason, entries.request_id,
              entries.address, entries.detail::text as detail
            from (
              select position, entry_id from events
              where organization_id = \(organization.uuid) and position > \(position)
              order by position
              limit \(limit)
            ) as events
            join audit_entries as entries
              on entries.organization_id = \(organization.uuid) and entries.id = events.entry_id
            order by events.position
            """
        ).map { row in
            func text(_ column: String) throws -> String {
                JSONValue.detail(try row.decode(column, as: String?.self)).text
            }
            let actor = try "{\"kind\":\(text("actor_kind")),\"name\":\(text("actor_name"))}"
            let change = try "\"kind\":\(text("action")),\"subject\":\(text("subject")),\"host\":\(text("host"))"
            let request = try "\"request\":\(text("request_id")),\"address\":\(text("address"))"
            return try
                "{\"position\":\(row.decode("position", as: Int.self)),\"at\":\(text("made")),\"actor\":\(actor),"
                + "\(change),\"act\":\(text("act")),\"reason\":\(text("reason")),\(request),"
                + "\"detail\":\(row.decode("detail", as: String.self))}"
        }
    }

    /// A time as RFC 3339 in UTC to the microsecond.
    private static func time(_ expression: SQL) -> SQL {
        "to_char(\(fragment: expression) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    }
}
