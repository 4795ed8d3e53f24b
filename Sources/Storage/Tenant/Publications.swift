public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// The act of making one version live.
public struct Publication: Hashable, Sendable {
    /// Where a publication stands: two states and five endings.
    public enum State: String, CaseIterable, Sendable {
        /// Waits for a worker.
        case scheduled
        /// A worker has claimed it.
        case running
        /// It made its version live.
        case live
        /// It could not; the cause says why.
        case failed
        /// Somebody called it off.
        case cancelled
        /// A newer publication of the domain took its place before it went live.
        case superseded
        /// What is live has changed since it was made.
        case suspended

        /// Nothing changes it any more.
        public var isEnding: Bool { self != .scheduled && self != .running }
    }

    /// The publication's ID.
    public let id: ID<Publication>
    /// The domain.
    public let host: Host
    /// The version that it makes live.
    public let version: Int
    /// Where it stands.
    public let state: State
    /// What the requester said about it; may be empty.
    public let message: String
    /// Why it was made, where a reason was asked for.
    public let reason: String?
    /// It goes live even where what is live has moved, and where it differs much.
    public let overrides: Bool
    /// Who asked for it.
    public let requester: Author
    /// What was live when it was made.
    public let madeAgainst: Int64?
    /// The number of the change that it made.
    public let activation: Int64?
    /// How often a worker has claimed it.
    public let attempts: Int
    /// Why it ended as it did, for endings other than live.
    public let cause: String?
    /// What the gate reported when it was made.
    public let report: JSONValue
    /// When it was asked for.
    public let createdAt: Date
    /// When a worker first claimed it.
    public let startedAt: Date?
    /// When it ended.
    public let endedAt: Date?

    init(row: Row) throws {
        id = try row.id("id")
        host = try row.host("host")
        version = try row.decode("version", as: Int.self)
        state = try row.value("state", State.init(rawValue:))
        message = try row.decode("message", as: String.self)
        reason = try row.decode("reason", as: String?.self)
        overrides = try row.decode("overrides", as: Bool.self)
        requester = try row.author(kind: "requester_kind", name: "requester_name")
        madeAgainst = try row.decode("made_against", as: Int64?.self)
        activation = try row.decode("activation", as: Int64?.self)
        attempts = try row.decode("attempts", as: Int.self)
        cause = try row.decode("cause", as: String?.self)
        report = try row.json("report")
        createdAt = try row.decode("created_at", as: Date.self)
        startedAt = try row.decode("started_at", as: Date?.self)
        endedAt = try row.decode("ended_at", as: Date?.self)
    }

    static let columns: SQL = """
        id, host, version, state, message, reason, overrides, requester_kind, requester_name, made_against,
        activation, attempts, cause, report, created_at, started_at, ended_at
        """
}

extension Tenant {
    /// A domain's publications, newest first; the page's key is the ID of the last one before it.
    public func publications(_ host: Host, _ page: Page) throws -> Listing<Publication> {
        try requireDomain(host)
        let after = page.after.flatMap { ID<Publication>($0) }
        let rows = try database.query(
            """
            select \(fragment: Publication.columns)
            from publications
            where organization_id = \(organization.uuid) and host = \(host.description)
              and (\(after?.uuid)::uuid is null or (created_at, id) < (
                select created_at, id from publications
                where organization_id = \(organization.uuid) and id = \(after?.uuid)))
            order by created_at desc, id desc
            limit \(page.rowsToRead)
            """)
        return Listing(reading: try rows.map(Publication.init(row:)), of: page, key: \.id.description)
    }

    /// One publication of a domain. Throws `notFound`.
    public func publication(_ id: ID<Publication>, of host: Host) throws -> Publication {
        try publication(id, "and host = \(host.description)")
    }

    /// One publication, its row locked until the transaction ends; `nil` when there is none.
    public func lockedPublication(_ id: ID<Publication>) throws -> Publication? {
        try database.first(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for update
            """
        ).map(Publication.init(row:))
    }

    /// Records a publication and the job that will carry it out; those of the domain that had not ended are superseded.
    /// The caller holds the domain's lock.
    public func createPublication(
        of host: Host, version: Int, message: String, reason: String?, overrides: Bool, report: JSONValue
    ) throws -> Publication {
        try supersedePending(host)
        let id = ID<Publication>()
        try database.execute(
            """
            insert into publications (
              organization_id, id, host, version, state, message, reason, overrides, requester_kind, requester_name,
              made_against, report, created_at)
            values (
              \(organization.uuid), \(id.uuid), \(host.description), \(version), 'scheduled', \(message), \(reason),
              \(overrides), \(author.kind.rawValue), \(author.name), \(try domain(host).live?.activation),
              \(report.text)::json, clock_timestamp())
            """)
        try enqueue(.publish, key: id.uuid)
        try audit(
            "publication.created", host.description,
            ["publication": .string(id.description), "version": .int(version)])
        return try publication(id, of: host)
    }

    /// Calls off a publication that no worker has claimed. Throws `publicationEnded` for one that has begun or ended.
    public func cancelPublication(_ id: ID<Publication>, of host: Host) throws -> Publication {
        let publication = try lockedPublication(id)
        guard let publication, publication.host == host else {
            throw StorageError.notFound(kind: "publication", key: id.description)
        }
        guard publication.state == .scheduled else {
            throw StorageError.publicationEnded(state: publication.state.rawValue)
        }
        try dequeue(.publish, key: id.uuid)
        return try end(publication, as: .cancelled, cause: "called off by \(author.name)")
    }

    /// A worker has claimed the publication.
    public func begin(_ publication: Publication) throws {
        try database.execute(
            """
            update publications
            set state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
            where organization_id = \(organization.uuid) and id = \(publication.id.uuid)
            """)
    }

    /// Ends a publication, with the activation for the ending `live` and a cause for the others.
    public func end(
        _ publication: Publication, as state: Publication.State, activation: Int64? = nil, cause: String? = nil
    ) throws -> Publication {
        try database.execute(
            """
            update publications
            set state = \(state.rawValue), activation = \(activation), cause = \(cause), ended_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(publication.id.uuid)
            """)
        try audit(
            "publication.\(state.rawValue)", publication.host.description,
            [
                "publication": .string(publication.id.description),
                "version": .int(publication.version),
            ])
        return try self.publication(publication.id, of: publication.host)
    }

    /// Ends the publications of a domain that have not ended, waiting for a worker that is in the middle of one.
    public func supersedePending(_ host: Host) throws {
        let pending = try database.query(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and host = \(host.description)
              and state in ('scheduled', 'running')
            for update
            """)
        for row in pending {
            let publication = try Publication(row: row)
            try dequeue(.publish, key: publication.id.uuid)
            _ = try end(publication, as: .superseded, cause: "a newer publication took its place")
        }
    }

    private func publication(_ id: ID<Publication>, _ condition: SQL) throws -> Publication {
        let row = try database.first(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and id = \(id.uuid) \(fragment: condition)
            """)
        guard let row else { throw StorageError.notFound(kind: "publication", key: id.description) }
        return try Publication(row: row)
    }
}
