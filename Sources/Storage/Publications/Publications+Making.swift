public import AASA
public import FoundationEssentials
import Postgres
public import StrictJSON

/// A new publication that has passed the gate.
public struct NewPublication: Sendable {
    /// The domain.
    public var host: Host
    /// The version to make live.
    public var version: Int
    /// The requester's message. It may be empty.
    public var message: String
    /// The reason. It is required to override.
    public var reason: String?
    /// Whether it goes live without the required approvals.
    public var bypassesApproval = false
    /// Whether it goes live regardless of the live version.
    public var overrides = false
    /// The gate's report.
    public var report: JSONValue
    /// The due time, or `nil` if it is due now.
    public var dueAt: Date?
    /// The time by which devices must have the change. It determines ``dueAt``, which is earlier.
    public var effectiveBy: Date?
    /// The requester's time zone.
    public var zone: String?
    /// The pending publication of the same domain that it follows, if any.
    public var follows: ID<Publication>?
    /// Whether it rolls back the publication that it follows.
    public var isRevert = false

    /// Creates a publication that is due now.
    public init(of host: Host, version: Int, message: String = "", report: JSONValue) {
        self.host = host
        self.version = version
        self.message = message
        self.report = report
    }
}

extension TenantTransaction {
    /// The maximum number of pending publications of a domain.
    public static let maximumPendingPublications = 100

    /// Records a publication. Also creates its job, unless the publication follows another one. Supersedes the pending
    /// publications that it replaces. The caller must hold the domain's lock. Throws `tooManyPublications`.
    public func createPublication(_ new: NewPublication) throws -> Publication {
        try supersede(new.host, dueAt: new.dueAt)
        guard try pendingPublications(new.host).count < Self.maximumPendingPublications else {
            throw StorageError.tooManyPublications
        }
        let id = ID<Publication>()
        let madeAgainst = new.follows == nil ? try domain(new.host).live?.activation : nil
        try database.execute(
            """
            insert into publications (
              organization_id, id, host, version, state, message, reason, overrides, requester_kind, requester_name,
              due_at, effective_by, zone, follows, reverts, made_against, bypasses_approval, report, created_at)
            values (
              \(organization.uuid), \(id.uuid), \(new.host.description), \(new.version), 'scheduled', \(new.message),
              \(new.reason), \(new.overrides), \(author.kind.rawValue), \(author.name), \(new.dueAt),
              \(new.effectiveBy), \(new.zone), \(new.follows?.uuid), \(new.isRevert ? new.follows?.uuid : nil),
              \(madeAgainst), \(new.bypassesApproval), \(new.report.text)::json, clock_timestamp())
            """)
        try addStep(.made, of: id)
        if new.follows == nil { try enqueue(.publish, key: id.uuid, at: new.dueAt) }
        let made = try publication(id, of: new.host)
        try audit(
            .publicationCreated, made,
            [
                "dueAt": .detail(made.dueAt), "effectiveBy": .detail(made.effectiveBy),
                "follows": .detail(made.follows), "reverts": .detail(made.reverts),
                "message": .string(made.message), "reason": .detail(made.reason), "override": .bool(made.overrides),
                "bypassApproval": .bool(made.bypassesApproval),
            ])
        if new.bypassesApproval {
            try audit(
                .approvalBypassed, new.host,
                [
                    "publication": .string(id.description), "version": .int(new.version),
                    "reason": .detail(new.reason),
                ])
            try mailOwners(
                aboutBypassOf: "version \(new.version) of \(new.host)", by: author.name, reason: new.reason)
        }
        return made
    }

    /// Supersedes the domain's pending publications that a new one replaces. A publication that is due now (`dueAt` is
    /// `nil`) replaces all that are already due. Any other replaces those that are due in the same second. The caller
    /// must hold the domain's lock.
    public func supersede(_ host: Host, dueAt: Date?) throws {
        let now = try clock()
        for pending in try pendingPublications(host) {
            let isReplaced = dueAt.map { pending.dueAt == $0 } ?? ((pending.dueAt ?? now) <= now)
            // A publication that followed one of the others may have ended together with it.
            guard isReplaced, try !publication(pending.id, of: host).state.isEnding else { continue }
            _ = try end(pending, as: .superseded, cause: "a newer publication replaced it")
        }
    }

    /// A domain's pending publications, sorted by due time. Locks their rows, unless the transaction only reads.
    func pendingPublications(_ host: Host, locking: Bool = true) throws -> [Publication] {
        let lock: SQL = locking ? "for update" : ""
        return try database.query(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and host = \(host.description)
              and state in ('scheduled', 'running')
            order by due_at nulls first, created_at, id
            \(fragment: lock)
            """
        ).map(Publication.init(row:))
    }
}
