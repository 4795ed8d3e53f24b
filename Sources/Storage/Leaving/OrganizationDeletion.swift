public import FoundationEssentials
import Postgres
public import StrictJSON

/// A deletion of an organization that was requested and not cancelled.
public struct OrganizationDeletion: Hashable, Sendable {
    /// The name of the user, token or operator who requested it.
    public let requester: String
    /// The time when it begins. Until then, nothing changes, and it can be cancelled.
    public let dueAt: Date

    init?(row: Row) throws {
        guard let dueAt = try row.decode("deletion_due_at", as: Date?.self) else { return nil }
        self.dueAt = dueAt
        requester = try row.decode("deletion_requester", as: String.self)
    }

    static let columns: SQL = "organizations.deletion_requester, organizations.deletion_due_at"

    /// The deletion as JSON.
    public var json: JSONValue { ["requestedBy": .string(requester), "dueAt": .detail(dueAt)] }
}

/// What the owners of an organization are told about its deletion.
public struct DeletionNotice: Hashable, Sendable {
    /// What has happened.
    public enum News: String, Sendable {
        /// It was requested.
        case requested
        /// It was cancelled.
        case cancelled
        /// It has begun, and cannot be cancelled.
        case begun
    }

    /// The organization's name.
    public let organization: String
    /// What has happened.
    public let news: News
    /// The person, token or operator who decided it.
    public let author: String
    /// The time when the deletion begins or has begun.
    public let dueAt: Date?

    init(organization: String, news: News, author: String, dueAt: Date?) {
        self.organization = organization
        self.news = news
        self.author = author
        self.dueAt = dueAt
    }

    init(_ details: JSONObject) throws {
        guard let news = details["news"]?.string.flatMap(News.init) else { throw CorruptRow(column: "details") }
        self.init(
            organization: details["organization"]?.string ?? "", news: news, author: details["author"]?.string ?? "",
            dueAt: details["dueAt"]?.number?.int.map { Date(timeIntervalSince1970: Double($0)) })
    }

    var details: JSONValue {
        [
            "organization": .string(organization), "news": .string(news.rawValue), "author": .string(author),
            "dueAt": dueAt.map { .int(Int($0.timeIntervalSince1970)) } ?? .null,
        ]
    }
}

extension TenantTransaction {
    /// The time between the request and the deletion: 14 days.
    public static let deletionGraceSeconds = 14 * 86_400

    /// Requests the deletion of the organization, and queues a mail to each owner. An earlier request is replaced only by
    /// a sooner one. If the deletion has begun, queues its job again, which may be parked.
    ///
    /// - Parameter seconds: The time until the deletion begins.
    public func requestDeletion(afterSeconds seconds: Int = Self.deletionGraceSeconds) throws -> Organization {
        try lockMembers()
        let before = try currentOrganization()
        let now = try clock()
        let dueAt = now.addingTimeInterval(Double(seconds))
        if let deletion = before.deletion, deletion.dueAt <= dueAt {
            if deletion.dueAt <= now { try requeue(.delete, key: organization.uuid, at: nil) }
            return before
        }
        try database.execute(
            """
            update organizations set deletion_requester = \(author.name), deletion_due_at = \(dueAt)
            where id = \(organization.uuid)
            """)
        try requeue(.delete, key: organization.uuid, at: dueAt)
        try system.noteLostRights()
        try audit(.organizationDeletionRequested, before.slug, ["dueAt": .detail(dueAt)])
        try mailOwners(about: .requested, of: before, dueAt: dueAt)
        return try currentOrganization()
    }

    /// Cancels the deletion of the organization, and queues a mail to each owner. Does nothing if none was requested.
    /// Throws `deletionBegun` if its time has come: the job may have begun, and a half deleted organization cannot stay.
    public func cancelDeletion() throws -> Organization {
        try lockMembers()
        let before = try currentOrganization()
        guard let deletion = before.deletion else { return before }
        guard try deletion.dueAt > clock() else { throw StorageError.deletionBegun }
        try database.execute(
            """
            update organizations set deletion_requester = null, deletion_due_at = null
            where id = \(organization.uuid)
            """)
        try remove(.delete, keys: [organization.uuid])
        try system.noteLostRights()
        try audit(.organizationDeletionCancelled, before.slug, ["dueAt": .detail(deletion.dueAt)])
        try mailOwners(about: .cancelled, of: before, dueAt: nil)
        return try currentOrganization()
    }

    private func mailOwners(about news: DeletionNotice.News, of organization: Organization, dueAt: Date?) throws {
        let notice = DeletionNotice(organization: organization.name, news: news, author: author.name, dueAt: dueAt)
        for owner in try members() where owner.role == .owner {
            // The mail outlives the organization.
            try system.queueMail("organizationDeletion", to: owner.user.email, details: notice.details)
        }
    }
}

/// The deletion itself, in transactions of limited size. The worker holds the job (``holds(_:)``).
extension TenantTransaction {
    /// Takes all access to the organization away: its members, tokens, invitations, trusts, sign-in provider and other
    /// jobs. Users who belong to no other organization are deleted. The organization loses its name, and its slug becomes
    /// free. Does nothing if this was done before.
    ///
    /// - Returns: Whether the organization was open.
    public func closeOrganization() throws -> Bool {
        try lockMembers()
        let row = try database.only(
            """
            select slug, deletion_requester, deleted_at is not null as is_closed from organizations
            where id = \(organization.uuid)
            """)
        guard try !row.decode("is_closed", as: Bool.self) else { return false }
        let slug = try row.decode("slug", as: String.self)
        let requester = try row.decode("deletion_requester", as: String.self)
        try mailOwners(about: .begun, of: currentOrganization(), dueAt: clock())
        try audit(.organizationDeleted, slug, ["requestedBy": .string(requester)])
        try database.execute(
            """
            update organizations
            set slug = 'deleted-' || replace(id::text, '-', ''), name = 'Deleted organization',
              requires_second_factor = false, domain_quota = null, draft_bytes_quota = null, evaluation_quota = null,
              deleted_at = clock_timestamp()
            where id = \(organization.uuid)
            """)
        // Invitations first: accepting one locks it, and adds a member.
        try database.execute("delete from invitations where organization_id = \(organization.uuid)")
        try database.execute(
            """
            delete from users
            where id in (select user_id from memberships where organization_id = \(organization.uuid))
              and not exists (
                select from memberships
                where memberships.user_id = users.id and memberships.organization_id <> \(organization.uuid))
            """)
        try removeJobsButDeletion()
        _ = try deleteRows(of: Self.access, limit: Int.max)
        try system.noteLostRights()
        return true
    }

    /// Takes hosts out of service, or deletes other rows.
    ///
    /// - Parameter limit: The maximum number of hosts and rows.
    /// - Returns: Whether nothing is left to delete.
    public func deleteSome(limit: Int) throws -> Bool {
        try removeJobsButDeletion()
        var left = limit - (try endClaims(limit: limit))
        guard left > 0 else { return false }
        // Rows that other rows of their table refer to.
        for references in Self.ownReferences {
            left -= try database.execute(references(organization, left))
            guard left > 0 else { return false }
        }
        left -= try deleteRows(of: Self.access + Self.content, limit: left)
        return left == limit
    }

    private func deleteRows(of tables: [SQL], limit: Int) throws -> Int {
        var left = limit
        for table in tables where left > 0 {
            left -= try database.execute(
                """
                delete from \(fragment: table)
                where organization_id = \(organization.uuid) and ctid = any(array(
                  select ctid from \(fragment: table) where organization_id = \(organization.uuid) limit \(left)))
                """)
        }
        return limit - left
    }

    /// References between rows of the same table.
    private static let ownReferences: [@Sendable (ID<Organization>, Int) -> SQL] = [
        { organization, limit in
            """
            update publications set follows = null, reverts = null
            where organization_id = \(organization.uuid) and id in (
              select id from publications where organization_id = \(organization.uuid) and follows is not null
              limit \(limit))
            """
        },
        { organization, limit in
            """
            update releases set takes_back = null
            where organization_id = \(organization.uuid) and id in (
              select id from releases where organization_id = \(organization.uuid) and takes_back is not null
              limit \(limit))
            """
        },
        { organization, limit in
            """
            update domains set alias_of = null
            where organization_id = \(organization.uuid) and host in (
              select host from domains where organization_id = \(organization.uuid) and alias_of is not null
              limit \(limit))
            """
        },
    ]

    /// The tables with what gives access. A request that was accepted before may still add to them.
    static let access: [SQL] = [
        "memberships", "former_members", "credentials", "invitations", "sign_in_attempts", "sessions", "mails",
        "sign_in_providers", "exchanged_tokens", "trusts",
    ]

    /// The other tables, apart from the audit trail. Rows that refer to others come before them.
    static let content: [SQL] = [
        "idempotency_keys", "approvals", "approval_reviews", "approval_request_domains", "approval_requests",
        "approval_policies", "schedule_outcomes", "schedule_runs", "schedules", "publication_steps", "publications",
        "release_domains", "releases", "replacement_domains", "replacements", "withdrawals", "freezes", "tests",
        "fetches", "fetch_reports", "draft_editors", "draft_apps", "drafts", "domain_labels", "domain_words",
        "domain_states", "versions", "blobs", "domains", "app_words", "apps", "teams",
    ]

    /// The tables that stay: the sealed trail, and the lists of what still has to be sealed.
    static let kept: [SQL] = [
        "audit_entries", "audit_checkpoints", "events", "unplaced_events", "unsealed_trails",
    ]
}
