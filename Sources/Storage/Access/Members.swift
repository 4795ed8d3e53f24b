public import FoundationEssentials
import Postgres
import StrictJSON

/// A user in an organization.
public struct OrganizationMember: Hashable, Sendable {
    /// The user.
    public let user: User
    /// The user's role in the organization, and its limit.
    public let grant: Grant
    /// The time when the user joined.
    public let joinedAt: Date
    /// Whether the user has a second factor.
    public let hasSecondFactor: Bool

    fileprivate static let columns: SQL = """
        users.id as user_id, users.email, users.name as user_name, memberships.role,
        memberships.labels as role_labels, memberships.created_at as joined_at,
        \(fragment: SystemTransaction.hasSecondFactor) as has_second_factor
        """

    /// The user's role in the organization.
    public var role: Role { grant.role }

    /// The same member with another grant.
    fileprivate init(_ member: OrganizationMember, _ grant: Grant) {
        user = member.user
        self.grant = grant
        joinedAt = member.joinedAt
        hasSecondFactor = member.hasSecondFactor
    }

    fileprivate init(row: Row) throws {
        user = try User(row: row)
        grant = try Grant(row: row)
        joinedAt = try row.decode("joined_at", as: Date.self)
        hasSecondFactor = try row.decode("has_second_factor", as: Bool.self)
    }
}

/// The reason why a member cannot be changed.
public enum MembershipError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The user is already a member.
    case isMember(email: String, role: Role)
    /// The user is not a member.
    case isNoMember(email: String)
    /// No other owner would be left.
    case lastOwner(email: String)
    /// The account was created by an invitation, and its address is not verified. So another person may have its password.
    case isNotVerified(email: String)

    /// The error message: the problem and the remedy.
    public var description: String {
        switch self {
        case .isMember(let email, let role):
            "\(email) is already a member with the role \(role); `waymark user role` changes it"
        case .isNoMember(let email):
            "\(email) is not a member of this organization; `waymark user list` shows its members"
        case .lastOwner(let email):
            "\(email) is the last owner of this organization; give another member the role owner first"
        case .isNotVerified(let email):
            "the address \(email) is not verified, because its account was created by an invitation; send the person "
                + "the link of `waymark user sign-in-link \(email)` first"
        }
    }
}

extension SystemTransaction {
    /// The IDs of the organizations after the given one, in order.
    public func organizations(after last: ID<Organization>?, limit: Int) throws -> [ID<Organization>] {
        let after: SQL = last.map { "where id > \($0.uuid)" } ?? ""
        return try database.query("select id from organizations \(fragment: after) order by id limit \(limit)").map {
            try $0.id("id")
        }
    }

    /// All organizations, sorted by slug, with their numbers of members.
    public func organizations() throws -> [(organization: Organization, members: Int)] {
        try database.query(
            """
            select \(fragment: Organization.columns),
              (select count(*) from memberships where memberships.organization_id = organizations.id) as members
            from organizations
            order by slug
            """
        ).map { (try Organization(row: $0), try $0.decode("members", as: Int.self)) }
    }
}

extension TenantTransaction {
    /// The addresses of these members, as their accounts have them. Throws `noMember` for an address of nobody.
    func addresses(ofMembers addresses: [String]) throws -> [String] {
        guard !addresses.isEmpty else { return [] }
        let rows = try database.query(
            """
            select distinct named.address, members.email from unnest(\(addresses)::text[]) as named (address)
            left join (
              select users.email from memberships
              join users on users.id = memberships.user_id
              where memberships.organization_id = \(organization.uuid)
            ) as members on lower(members.email) = lower(named.address)
            order by named.address
            """)
        return try rows.map { row in
            guard let email = try row.decode("email", as: String?.self) else {
                throw StorageError.noMember(try row.decode("address", as: String.self))
            }
            return email
        }
    }

    /// A condition: the address is of a member who can publish on a host.
    func canPublish(_ address: SQL, on host: SQL) -> SQL {
        """
        exists (
          select from users
          join memberships on memberships.user_id = users.id and memberships.organization_id = \(organization.uuid)
            and memberships.role in ('publisher', 'admin', 'owner')
          where users.email = \(fragment: address)
            and (memberships.labels = '{}' or exists (
              select from domain_labels
              where domain_labels.organization_id = \(organization.uuid)
                and domain_labels.host = \(fragment: host) and domain_labels.label = any(memberships.labels))))
        """
    }

    /// The labels in the list that limit the role of a member, an invited person, a token or a trust.
    func labelsOfLimitedRoles(among labels: [String]) throws -> [String] {
        guard !labels.isEmpty else { return [] }
        return try database.query(
            """
            select label from unnest(\(labels)) as asked (label)
            where exists (
                select from memberships where organization_id = \(organization.uuid) and label = any(memberships.labels))
              or exists (
                select from credentials
                where organization_id = \(organization.uuid) and label = any(credentials.labels) and revoked_at is null
                  and (expires_at is null or expires_at > clock_timestamp()))
              or exists (
                select from invitations
                where organization_id = \(organization.uuid) and label = any(invitations.labels)
                  and accepted_at is null and withdrawn_at is null and expires_at > clock_timestamp())
              or exists (
                select from trusts where organization_id = \(organization.uuid) and label = any(trusts.labels))
            order by label
            """
        ).map { try $0.decode("label", as: String.self) }
    }

    /// The organization's members, sorted by e-mail address.
    public func members() throws -> [OrganizationMember] {
        try database.query(
            """
            select \(fragment: OrganizationMember.columns)
            from memberships
            join users on users.id = memberships.user_id
            where memberships.organization_id = \(organization.uuid)
            order by lower(users.email)
            """
        ).map(OrganizationMember.init(row:))
    }

    /// A page of the organization's members, sorted by e-mail address. The page's key is the address of the last member
    /// on the previous page.
    public func members(_ page: Page) throws -> Listing<OrganizationMember> {
        return try list(page, key: \.user.email, reading: { try $0.map(OrganizationMember.init(row:)) }) { page in
            """
            select \(fragment: OrganizationMember.columns)
            from memberships
            join users on users.id = memberships.user_id
            where memberships.organization_id = \(organization.uuid)
              and lower(users.email) > lower(\(page.after ?? ""))
            order by lower(users.email)
            limit \(page.rowsToRead)
            """
        }
    }

    /// Returns a member by the user's ID. The organization's members cannot change until the transaction ends. Throws
    /// `notFound` if the user is not a member.
    public func lockedMember(_ id: ID<User>) throws -> OrganizationMember {
        guard let member = try lockedMembers().first(where: { $0.user.id == id }) else {
            throw StorageError.notFound(kind: "member", key: id.description)
        }
        return member
    }

    /// Returns a member, like ``lockedMember(_:)``, and checks that the user who acts is still a member. Another change
    /// may have removed the user, or changed the user's role, while this one waited. Throws `notFound`, and `roleNeeded`
    /// if the user no longer has the role.
    public func lockedMember(_ id: ID<User>, for acting: User, with role: Role) throws -> OrganizationMember {
        let member = try lockedMember(id)
        let now = try self.member(acting.id)?.role
        guard let now, now >= role else {
            throw StorageError.roleNeeded(role, has: now ?? .viewer, because: ["your role has just changed"])
        }
        return member
    }

    /// Adds a user to the organization. Creates the user if the address is new. Throws ``MembershipError``.
    ///
    /// - Parameter labels: The labels that the role is limited to.
    public func addMember(email: String, name: String, role: Role, labels: [String] = []) throws -> User {
        let members = try lockedMembers()
        if let member = members.first(where: { $0.isCalled(email) }) {
            throw MembershipError.isMember(email: member.user.email, role: member.role)
        }
        let user = try system.ensureUser(email: email, name: name)
        try setRole(role, labels: labels, of: user)
        return user
    }

    /// Changes a member's role and its limit. Throws ``MembershipError``.
    ///
    /// - Parameter labels: The labels that the role is limited to.
    public func changeRole(of email: String, to role: Role, labels: [String] = []) throws -> OrganizationMember {
        let member = try lockedMember(email, leavesOwner: role != .owner)
        let grant = Grant(role, labels: labels)
        if member.grant != grant { try setRole(role, labels: labels, of: member.user, replacing: member.grant) }
        return OrganizationMember(member, grant)
    }

    /// Removes a user from the organization. Within a second after the commit, the user's sessions can no longer access
    /// it. The organization's provider does not admit the user again. The user and other memberships remain. Throws
    /// ``MembershipError``.
    public func removeMember(_ email: String) throws -> OrganizationMember {
        let member = try lockedMember(email, leavesOwner: true)
        try database.execute(
            """
            delete from memberships
            where organization_id = \(organization.uuid) and user_id = \(member.user.id.uuid)
            """)
        try database.execute(
            """
            insert into former_members (organization_id, user_id)
            values (\(organization.uuid), \(member.user.id.uuid))
            on conflict do nothing
            """)
        try system.noteLostRights()
        try removeBypasser(member.user.email)
        try removeApprovals(by: member.user.email)
        try audit(.memberRemoved, member.user.email, .object(member.grant.detail))
        return member
    }

    /// Returns a member. The organization's members cannot change until the transaction ends.
    ///
    /// - Parameter leavesOwner: Whether the member will no longer be an owner. Another owner is then required.
    private func lockedMember(_ email: String, leavesOwner: Bool) throws -> OrganizationMember {
        let members = try lockedMembers()
        guard let member = members.first(where: { $0.isCalled(email) }) else {
            throw MembershipError.isNoMember(email: email)
        }
        if leavesOwner, member.role == .owner, members.count(where: { $0.role == .owner }) == 1 {
            throw MembershipError.lastOwner(email: member.user.email)
        }
        return member
    }

    /// Locks the organization's row and returns the members. Without the lock, two concurrent changes could remove the
    /// last two owners.
    private func lockedMembers() throws -> [OrganizationMember] {
        try lockMembers()
        return try members()
    }

    /// Locks the organization's row, so that its members cannot change until the transaction ends.
    func lockMembers() throws {
        _ = try database.first("select id from organizations where id = \(organization.uuid) for no key update")
    }

    /// The member with this address, ignoring case, or `nil` if no member has it.
    func member(email: String) throws -> OrganizationMember? { try member("lower(users.email) = lower(\(email))") }

    /// The member with this ID, or `nil` if no member has it.
    func member(_ id: ID<User>) throws -> OrganizationMember? { try member("users.id = \(id.uuid)") }

    private func member(_ condition: SQL) throws -> OrganizationMember? {
        try database.first(
            """
            select \(fragment: OrganizationMember.columns)
            from memberships
            join users on users.id = memberships.user_id
            where memberships.organization_id = \(organization.uuid) and \(fragment: condition)
            """
        ).map(OrganizationMember.init(row:))
    }
}

extension OrganizationMember {
    /// Whether an address is this user's, ignoring case.
    fileprivate func isCalled(_ email: String) -> Bool { user.email.lowercased() == email.lowercased() }
}
