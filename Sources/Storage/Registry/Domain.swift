public import AASA
public import FoundationEssentials
import Postgres

/// A domain as a tenant sees it: its row, the summary of its draft, its claim and what is live on it.
public struct Domain: Hashable, Sendable {
    /// Where a domain stands.
    public enum State: String, CaseIterable, Sendable {
        /// It serves the file of another domain.
        case alias
        /// Nobody has proven control of the host yet.
        case unverified
        /// Verified, and nothing has been published.
        case unpublished
        /// What was live has been withdrawn; for an alias, by a withdrawal of its own.
        case withdrawn
        /// What is live is what the draft would generate.
        case live
        /// The draft would generate another file than the live one.
        case changed
    }

    /// What consumers are told to serve.
    public struct Live: Hashable, Sendable {
        /// The version's number.
        public let version: Int
        /// The number of the change that made it live.
        public let activation: Int64
        /// The file's SHA-256, 32 bytes.
        public let sha256: [UInt8]
        /// The file's size in bytes.
        public let size: Int
        /// Since when.
        public let since: Date
    }

    /// The publication that is due first of those that have not ended.
    public struct Pending: Hashable, Sendable {
        /// Its ID.
        public let publication: ID<Publication>
        /// The version that it makes live.
        public let version: Int
        /// When it is due; `nil` for at once.
        public let dueAt: Date?
        /// How many publications of the domain have not ended.
        public let count: Int
    }

    /// The publication that ended last, if it ended without going live and nothing has gone live since.
    public struct Stopped: Hashable, Sendable {
        /// Its ID.
        public let publication: ID<Publication>
        /// The version that did not go live.
        public let version: Int
        /// `suspended` or `failed`.
        public let state: Publication.State
        /// When it ended.
        public let endedAt: Date
        /// Why.
        public let cause: String?
    }

    /// Which domains of a list are wanted, by their publications.
    public enum PublicationStanding: String, CaseIterable, Sendable {
        /// With one that has not ended.
        case pending
        /// With one that was suspended, and nothing that has gone live since.
        case suspended
        /// With one that failed, and nothing that has gone live since.
        case failed
    }

    /// The host, in ASCII.
    public let host: Host
    /// The domain whose file it serves, for an alias.
    public let aliasOf: Host?
    /// The domains that serve this one's file.
    public let aliases: [Host]
    /// Labels such as `staging` or `brand-acme`, in the order given.
    public let labels: [String]
    /// When control of the host was proven; `nil` before.
    public let verifiedAt: Date?
    /// Where the domain stands.
    public let state: State
    /// The draft's revision.
    public let draftRevision: Int
    /// The size in bytes of the file that the draft would generate.
    public let draftSize: Int
    /// What is live; `nil` when nothing is.
    public let live: Live?
    /// What is to go live next; `nil` when nothing is pending.
    public let pending: Pending?
    /// What was suspended or has failed since something went live; `nil` where nothing was.
    public let stopped: Stopped?
    /// The pending withdrawal that will end what is live: its own, or for an alias its target's; the earlier of both.
    public let withdrawal: Withdrawal?
    /// The freeze that covers it now; `nil` when none does.
    public let freeze: Freeze?
    /// When the domain was added.
    public let createdAt: Date

    /// What the draft would generate differs from what is live.
    public var isDraftChanged: Bool { draftSHA256 != live?.sha256 }

    let draftSHA256: [UInt8]

    init(row: Row) throws {
        host = try row.host("host")
        aliasOf = try row.optional("alias_of") { try Host($0) }
        aliases = try row.decode("aliases", as: [String].self).map { try Host($0) }
        labels = try row.decode("labels", as: [String].self)
        verifiedAt = try row.decode("claimed_at", as: Date?.self)
        state = try row.value("state", State.init(rawValue:))
        draftRevision = try row.decode("revision", as: Int.self)
        draftSize = try row.decode("file_size", as: Int.self)
        draftSHA256 = try row.decode("file_sha256", as: [UInt8].self)
        live = try Live(row: row)
        pending = try Pending(row: row)
        stopped = try Stopped(row: row)
        withdrawal = try row.decode("withdrawal_id", as: UUID?.self) == nil ? nil : Withdrawal(row: row)
        freeze = try row.decode("freeze_id", as: UUID?.self) == nil ? nil : Freeze(row: row)
        createdAt = try row.decode("created_at", as: Date.self)
    }
}

extension Domain.Pending {
    fileprivate init?(row: Row) throws {
        guard let id = try row.optionalID("pending_id") as ID<Publication>? else { return nil }
        publication = id
        version = try row.decode("pending_version", as: Int.self)
        dueAt = try row.decode("pending_due_at", as: Date?.self)
        count = try row.decode("pending_count", as: Int.self)
    }
}

extension Domain.Stopped {
    fileprivate init?(row: Row) throws {
        guard let id = try row.optionalID("stopped_id") as ID<Publication>? else { return nil }
        publication = id
        version = try row.decode("stopped_version", as: Int.self)
        state = try row.value("stopped_state", Publication.State.init(rawValue:))
        endedAt = try row.decode("stopped_at", as: Date.self)
        cause = try row.decode("stopped_cause", as: String?.self)
    }
}

extension Domain.Live {
    /// Reads the columns of a claim; `nil` when nothing is live.
    init?(row: Row) throws {
        guard let version = try row.decode("live_version", as: Int?.self) else { return nil }
        self.version = version
        activation = try row.decode("live_activation", as: Int64.self)
        sha256 = try row.decode("live_sha256", as: [UInt8].self)
        size = try row.decode("live_size", as: Int.self)
        since = try row.decode("live_since", as: Date.self)
    }
}
