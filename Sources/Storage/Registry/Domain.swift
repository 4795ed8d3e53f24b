public import AASA
public import FoundationEssentials
import Postgres

/// A domain: its row, a summary of its draft, its claim and its live version.
public struct Domain: Hashable, Sendable {
    /// The state of a domain.
    public enum State: String, CaseIterable, Sendable {
        /// The domain serves the file of another domain.
        case alias
        /// The domain is not verified.
        case unverified
        /// The domain is verified, but nothing has been published.
        case unpublished
        /// The live version was withdrawn. For an alias, the alias itself was withdrawn.
        case withdrawn
        /// The draft generates the live file.
        case live
        /// The draft generates a different file than the live one.
        case changed
    }

    /// The live version.
    public struct Live: Hashable, Sendable {
        /// The version's number.
        public let version: Int
        /// The activation that made it live.
        public let activation: Int64
        /// The file's SHA-256, 32 bytes.
        public let sha256: [UInt8]
        /// The file's size in bytes.
        public let size: Int
        /// The time when it went live.
        public let since: Date
    }

    /// The pending publication that is due first.
    public struct Pending: Hashable, Sendable {
        /// The publication's ID.
        public let publication: ID<Publication>
        /// The version to make live.
        public let version: Int
        /// The due time, or `nil` if it is due now.
        public let dueAt: Date?
        /// The number of pending publications of the domain.
        public let count: Int
    }

    /// The last publication, if it was suspended or failed and no version has gone live since.
    public struct Stopped: Hashable, Sendable {
        /// The publication's ID.
        public let publication: ID<Publication>
        /// The version that did not go live.
        public let version: Int
        /// `suspended` or `failed`.
        public let state: Publication.State
        /// The time when it was suspended or failed.
        public let endedAt: Date
        /// The reason why it was suspended or failed.
        public let cause: String?
    }

    /// The last check of the draft by a worker.
    public struct Checks: Hashable, Sendable {
        /// The number of errors that lint found in the draft's file.
        public let errors: Int
        /// The number of warnings.
        public let warnings: Int
        /// The number of notices.
        public let notices: Int
        /// The number of tests.
        public let tests: Int
        /// The number of tests that failed.
        public let failed: Int
        /// Whether the check still applies: neither the draft's file nor the tests have changed since.
        public let isCurrent: Bool
    }

    /// The consumers that serve the live version.
    public struct Serving: Hashable, Sendable {
        /// The number of edges and directories with a report in the last day.
        public let consumers: Int
        /// The number of those that have applied the live activation.
        public let applied: Int
    }

    /// An app that a draft names.
    public struct NamedApp: Hashable, Sendable {
        /// The app ID as the draft has it.
        public let appID: String
        /// The name of the registered app, or `nil` if it is not registered.
        public let name: String?
    }

    /// The highest number of ``draftApps``.
    static let shownApps = 3

    /// A filter for domains, by the state of their publications.
    public enum PublicationStanding: String, CaseIterable, Sendable {
        /// Domains with a pending publication.
        case pending
        /// Domains with a suspended publication, if no version has gone live since.
        case suspended
        /// Domains with a failed publication, if no version has gone live since.
        case failed
    }

    /// The host, in ASCII.
    public let host: Host
    /// For an alias, the domain whose file it serves.
    public let aliasOf: Host?
    /// The aliases of this domain.
    public let aliases: [Host]
    /// The labels in the given order, such as `staging` or `brand-acme`.
    public let labels: [String]
    /// The time of its verification, or `nil` if it is not verified.
    public let verifiedAt: Date?
    /// The domain's state.
    public let state: State
    /// The draft's revision.
    public let draftRevision: Int
    /// The size in bytes of the file that the draft generates.
    public let draftSize: Int
    /// The first apps that the draft names, by app ID; at most 3.
    public let draftApps: [NamedApp]
    /// The number of apps that the draft names.
    public let draftAppCount: Int
    /// The time of the draft's last change.
    public let draftChangedAt: Date
    /// The last check of the draft. `nil` for an alias, and until the first check.
    public let checks: Checks?
    /// The live version, or `nil` if no version is live.
    public let live: Live?
    /// The consumers that serve the live version. `nil` if no version is live, or no consumer has reported.
    public let serving: Serving?
    /// The next pending publication, or `nil` if none is pending.
    public let pending: Pending?
    /// The suspended or failed publication, or `nil` if a version has gone live since.
    public let stopped: Stopped?
    /// The pending withdrawal that will end the live version. For an alias, the earlier of its own and its target's
    /// withdrawal.
    public let withdrawal: Withdrawal?
    /// The freeze that currently applies to the domain, or `nil` if none does.
    public let freeze: Freeze?
    /// The time when the domain was created.
    public let createdAt: Date

    /// Whether the draft generates a different file than the live one.
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
        draftApps = try zip(row.decode("app_ids", as: [String].self), row.decode("app_names", as: [String].self))
            .map { NamedApp(appID: $0, name: $1.isEmpty ? nil : $1) }
        draftAppCount = try row.decode("app_count", as: Int.self)
        draftChangedAt = try row.decode("updated_at", as: Date.self)
        checks = try aliasOf == nil ? Checks(row: row) : nil
        live = try Live(row: row)
        serving = try Serving(row: row)
        pending = try Pending(row: row)
        stopped = try Stopped(row: row)
        withdrawal = try row.decode("withdrawal_id", as: UUID?.self) == nil ? nil : Withdrawal(row: row)
        freeze = try row.decode("freeze_id", as: UUID?.self) == nil ? nil : Freeze(row: row)
        createdAt = try row.decode("created_at", as: Date.self)
    }
}

extension Domain.Checks {
    fileprivate init?(row: Row) throws {
        guard let errors = try row.decode("errors", as: Int?.self) else { return nil }
        self.errors = errors
        warnings = try row.decode("warnings", as: Int.self)
        notices = try row.decode("notices", as: Int.self)
        tests = try row.decode("tests", as: Int.self)
        failed = try row.decode("failed", as: Int.self)
        isCurrent = try !row.decode("is_unchecked", as: Bool.self)
    }
}

extension Domain.Serving {
    fileprivate init?(row: Row) throws {
        consumers = try row.decode("consumers", as: Int.self)
        applied = try row.decode("applied", as: Int.self)
        if consumers == 0 { return nil }
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
    /// Reads the columns of a claim. Returns `nil` if no version is live.
    init?(row: Row) throws {
        guard let version = try row.decode("live_version", as: Int?.self) else { return nil }
        self.version = version
        activation = try row.decode("live_activation", as: Int64.self)
        sha256 = try row.decode("live_sha256", as: [UInt8].self)
        size = try row.decode("live_size", as: Int.self)
        since = try row.decode("live_since", as: Date.self)
    }
}
