public import FoundationEssentials
import Postgres
import StrictJSON

/// A rule of an organization: files need approvals before they go live.
public struct ApprovalPolicy: Hashable, Sendable {
    /// The terms of a policy.
    public struct Terms: Hashable, Sendable {
        /// The policy is for the domains with this label, or for all domains if it is `nil`.
        public var label: String?
        /// The number of required approvals, see ``ApprovalPolicy/approvals``.
        public var approvals: Int
        /// The addresses of the people who can publish without the approvals in an emergency.
        public var bypassers: [String]

        /// Creates terms.
        public init(label: String?, approvals: Int, bypassers: [String] = []) {
            self.label = label
            self.approvals = approvals
            self.bypassers = bypassers
        }

        fileprivate var detail: JSONValue {
            [
                "label": .detail(label), "approvals": .int(approvals),
                "bypassers": .array(bypassers.map(JSONValue.string)),
            ]
        }
    }

    /// The possible numbers of required approvals.
    public static let approvals = 1...10
    /// The maximum number of people who can publish without the approvals.
    public static let maximumBypassers = 20
    /// The maximum number of policies of an organization.
    public static let maximum = 100

    /// The policy's ID.
    public let id: ID<ApprovalPolicy>
    /// The terms.
    public let terms: Terms
    /// The creation time.
    public let createdAt: Date

    fileprivate static let columns: SQL = "id, label, approvals, bypassers, created_at"

    fileprivate init(row: Row) throws {
        id = try row.id("id")
        terms = Terms(
            label: try row.decode("label", as: String?.self), approvals: try row.decode("approvals", as: Int.self),
            bypassers: try row.decode("bypassers", as: [String].self))
        createdAt = try row.decode("created_at", as: Date.self)
    }
}

extension TenantTransaction {
    /// A page of the organization's approval policies, newest first. The page's key is the ID of the last policy on the
    /// previous page.
    public func approvalPolicies(_ page: Page) throws -> Listing<ApprovalPolicy> {
        return try list(page, key: \.id.description, reading: { try $0.map(ApprovalPolicy.init(row:)) }) { page in
            """
            select \(fragment: ApprovalPolicy.columns) from approval_policies
            where organization_id = \(organization.uuid)
              \(fragment: try page.newestFirst(of: "approval_policies", ApprovalPolicy.self, in: organization))
            """
        }
    }

    /// The approval policy with this ID. Throws `notFound`.
    public func approvalPolicy(_ id: ID<ApprovalPolicy>) throws -> ApprovalPolicy {
        let row = try database.first(
            """
            select \(fragment: ApprovalPolicy.columns) from approval_policies
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "approval policy", key: id.description) }
        return try ApprovalPolicy(row: row)
    }

    /// Whether a label, or the whole organization, has an approval policy.
    public func hasApprovalPolicy(for label: String?) throws -> Bool {
        try database.first(
            """
            select from approval_policies
            where organization_id = \(organization.uuid) and label is not distinct from \(label)::text
            """) != nil
    }

    /// Creates an approval policy. Throws `exists` if the label has one, `tooManyApprovalPolicies`, and
    /// `noMember`.
    public func createApprovalPolicy(_ terms: ApprovalPolicy.Terms) throws -> ApprovalPolicy {
        let count = try database.only(
            "select count(*) as policies from approval_policies where organization_id = \(organization.uuid)"
        ).decode("policies", as: Int.self)
        guard count < ApprovalPolicy.maximum else { throw StorageError.tooManyApprovalPolicies }
        let bypassers = try addresses(ofMembers: terms.bypassers)
        let made = try ApprovalPolicy(
            row: try database.only(
                """
                insert into approval_policies (organization_id, id, label, approvals, bypassers)
                values (\(organization.uuid), \(UUID()), \(terms.label), \(terms.approvals), \(bypassers))
                returning \(fragment: ApprovalPolicy.columns)
                """))
        try audit(.policyCreated, made)
        return made
    }

    /// Changes an approval policy. Its label stays. Throws `notFound` and `noMember`.
    public func changeApprovalPolicy(
        _ id: ID<ApprovalPolicy>, approvals: Int?, bypassers: [String]?
    ) throws -> ApprovalPolicy {
        let bypassers = try bypassers.map { try addresses(ofMembers: $0) }
        let old = try database.first(
            """
            select \(fragment: ApprovalPolicy.columns) from approval_policies
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for update
            """
        ).map(ApprovalPolicy.init(row:))
        let row = try database.first(
            """
            update approval_policies
            set approvals = coalesce(\(approvals)::integer, approvals),
              bypassers = coalesce(\(bypassers)::text[], bypassers)
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            returning \(fragment: ApprovalPolicy.columns)
            """)
        guard let row else { throw StorageError.notFound(kind: "approval policy", key: id.description) }
        let changed = try ApprovalPolicy(row: row)
        try audit(.policyChanged, changed, replacing: old)
        return changed
    }

    /// Deletes an approval policy. Throws `notFound`.
    public func deleteApprovalPolicy(_ id: ID<ApprovalPolicy>) throws {
        let row = try database.first(
            """
            delete from approval_policies
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            returning \(fragment: ApprovalPolicy.columns)
            """)
        guard let row else { throw StorageError.notFound(kind: "approval policy", key: id.description) }
        try audit(.policyDeleted, ApprovalPolicy(row: row))
    }

    /// Removes a person from the policies that name them, so that a later member with this address bypasses nothing.
    func removeBypasser(_ address: String) throws {
        let policies = try database.query(
            """
            select \(fragment: ApprovalPolicy.columns) from approval_policies
            where organization_id = \(organization.uuid) and \(address) = any(bypassers)
            order by id
            for update
            """
        ).map(ApprovalPolicy.init(row:))
        for policy in policies {
            _ = try changeApprovalPolicy(
                policy.id, approvals: nil, bypassers: policy.terms.bypassers.filter { $0 != address })
        }
    }

    /// The labels in the list that an approval policy uses.
    func labelsWithApprovalPolicy(among labels: [String]) throws -> [String] {
        guard !labels.isEmpty else { return [] }
        return try database.query(
            """
            select label from approval_policies
            where organization_id = \(organization.uuid) and label = any(\(labels))
            order by label
            """
        ).map { try $0.decode("label", as: String.self) }
    }

    private func audit(_ kind: EventKind, _ policy: ApprovalPolicy, replacing old: ApprovalPolicy? = nil) throws {
        try audit(
            kind, policy.terms.label ?? "*", concerning: policy.terms.label.map { .labelled($0) } ?? .every,
            policy.terms.detail.replacing((old ?? policy).terms.detail))
    }
}
