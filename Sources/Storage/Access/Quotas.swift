import Postgres
public import StrictJSON

/// What the operator allows an organization. `nil` means no limit.
public struct OrganizationQuotas: Hashable, Sendable {
    /// The number of its domains.
    public var domains: Int?
    /// The size of the files that all its drafts generate, in bytes.
    public var draftBytes: Int?
    /// The URLs that it evaluates in a minute.
    public var evaluations: Int?

    /// Creates quotas. Without arguments, nothing is limited.
    public init(domains: Int? = nil, draftBytes: Int? = nil, evaluations: Int? = nil) {
        self.domains = domains
        self.draftBytes = draftBytes
        self.evaluations = evaluations
    }

    init(row: Row) throws {
        domains = try row.decode("domain_quota", as: Int?.self)
        draftBytes = try row.decode("draft_bytes_quota", as: Int?.self)
        evaluations = try row.decode("evaluation_quota", as: Int?.self)
    }

    static let columns: SQL = """
        organizations.domain_quota, organizations.draft_bytes_quota, organizations.evaluation_quota
        """

    /// The quotas as JSON, null for no limit.
    public var json: JSONValue {
        func number(_ value: Int?) -> JSONValue { value.map { .int($0) } ?? .null }
        return [
            "domains": number(domains), "draftBytes": number(draftBytes),
            "evaluationsPerMinute": number(evaluations),
        ]
    }
}

extension TenantTransaction {
    /// Sets what the operator allows the organization.
    public func setQuotas(_ quotas: OrganizationQuotas) throws {
        try lockMembers()
        let before = try currentOrganization()
        guard quotas != before.quotas else { return }
        try database.execute(
            """
            update organizations
            set domain_quota = \(quotas.domains), draft_bytes_quota = \(quotas.draftBytes),
              evaluation_quota = \(quotas.evaluations)
            where id = \(organization.uuid)
            """)
        try system.noteLostRights()
        try audit(.organizationChanged, before.slug, quotas.json.replacing(before.quotas.json))
    }

    /// Throws `quotaReached` if the organization has as many domains as it may. If it has such a limit, no other
    /// transaction can add a domain to it until this one ends.
    func requireRoomForDomain() throws {
        guard let quota = try currentOrganization().quotas.domains else { return }
        try lockUsage("domains")
        let count = try database.only(
            "select count(*) as domains from domains where organization_id = \(organization.uuid)"
        ).decode("domains", as: Int.self)
        guard count < quota else {
            throw StorageError.quotaReached("\(quota) domains")
        }
    }

    /// Throws `quotaReached` if the organization's drafts generate more bytes than they may. The change must be saved
    /// already.
    func requireRoomForDrafts() throws {
        guard let quota = try currentOrganization().quotas.draftBytes else { return }
        try lockUsage("drafts")
        let bytes = try database.only(
            """
            select coalesce(sum(file_size), 0)::bigint as bytes from drafts where organization_id = \(organization.uuid)
            """
        ).decode("bytes", as: Int.self)
        guard bytes <= quota else {
            throw StorageError.quotaReached("\(quota) bytes in the files of all drafts")
        }
    }

    private func lockUsage(_ what: String) throws {
        try database.execute(
            "select pg_advisory_xact_lock(hashtextextended(\(what) || ' of ' || \(organization.description), 0))")
    }
}
