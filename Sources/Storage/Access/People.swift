import FoundationEssentials
import Postgres
import StrictJSON

/// A person.
public struct User: Hashable, Sendable {
    /// The user's ID.
    public let id: ID<User>
    /// The e-mail address. It identifies the user on the command line.
    public let email: String
    /// The display name.
    public let name: String

    init(row: Row) throws {
        id = try row.id("user_id")
        email = try row.decode("email", as: String.self)
        name = try row.decode("user_name", as: String.self)
    }
}

/// An organization, and a user's role in it.
public struct Membership: Hashable, Sendable {
    /// The organization.
    public let organization: Organization
    /// The user's role in it, and its limit.
    public let grant: Grant

    /// The user's role in it.
    public var role: Role { grant.role }

    /// Creates a membership.
    public init(organization: Organization, _ grant: Grant) {
        self.organization = organization
        self.grant = grant
    }
}

extension Membership {
    /// Returns `nil` if the row has no organization.
    init?(row: Row) throws {
        guard try row.decode("organization_id", as: UUID?.self) != nil else { return nil }
        self.init(organization: try Organization(row: row), try Grant(row: row))
    }
}

extension Organization {
    static let columns: SQL = """
        organizations.id as organization_id, organizations.slug, organizations.name as organization_name,
        organizations.requires_second_factor, \(fragment: OrganizationQuotas.columns),
        \(fragment: OrganizationDeletion.columns)
        """

    init(row: Row) throws {
        id = try row.id("organization_id")
        slug = try row.decode("slug", as: String.self)
        name = try row.decode("organization_name", as: String.self)
        requiresSecondFactor = try row.decode("requires_second_factor", as: Bool.self)
        quotas = try OrganizationQuotas(row: row)
        deletion = try OrganizationDeletion(row: row)
    }
}

extension SystemTransaction {
    /// The organization with this slug, or `nil` if it does not exist.
    public func organization(slug: String) throws -> Organization? {
        try database.first(
            """
            select \(fragment: Organization.columns) from organizations where slug = \(slug)
            """
        ).map(Organization.init(row:))
    }

    /// The user with this e-mail address, ignoring case, or `nil` if the user does not exist.
    public func user(email: String) throws -> User? {
        try database.first(
            "select id as user_id, email, name as user_name from users where lower(email) = lower(\(email))"
        ).map(User.init(row:))
    }

    /// The organizations of a user, sorted by slug.
    public func memberships(of user: ID<User>) throws -> [Membership] {
        let rows = try database.query(
            """
            select \(fragment: Organization.columns), memberships.role, memberships.labels as role_labels
            from memberships
            join organizations on organizations.id = memberships.organization_id
            where memberships.user_id = \(user.uuid)
            order by organizations.slug
            """)
        return try rows.compactMap(Membership.init(row:))
    }

    /// Returns the user with this e-mail address, for the operator. Creates the user if necessary. Throws
    /// ``MembershipError/isNotVerified(email:)``.
    public func ensureUser(email: String, name: String) throws -> User {
        guard let user = try user(email: email) else {
            return try createUser(email: email, name: name, passwordHash: nil, isVerified: true)
        }
        guard try isVerified(user.id) else {
            throw MembershipError.isNotVerified(email: user.email)
        }
        return user
    }

    /// Whether it is known that the user's address is the user's.
    public func isVerified(_ user: ID<User>) throws -> Bool {
        try database.only("select verified_at is not null as is_verified from users where id = \(user.uuid)")
            .decode("is_verified", as: Bool.self)
    }

    /// The user with this e-mail address, ignoring case. Throws `notFound`.
    public func existingUser(email: String) throws -> User {
        guard let user = try user(email: email) else { throw StorageError.notFound(kind: "user", key: email) }
        return user
    }

    /// Creates a user. Throws `exists` if the address is taken.
    ///
    /// - Parameter isVerified: Whether it is known that the address is the user's.
    func createUser(email: String, name: String, passwordHash: String?, isVerified: Bool) throws -> User {
        try User(
            row: database.only(
                """
                insert into users (id, email, name, password_hash, verified_at)
                values (
                  \(UUID()), \(email), \(name), \(passwordHash), case when \(isVerified) then clock_timestamp() end)
                returning id as user_id, email, name as user_name
                """))
    }

    /// Changes a user's name.
    public func rename(_ user: ID<User>, to name: String) throws {
        try database.execute("update users set name = \(name) where id = \(user.uuid)")
        try noteLostRights()
    }
}

extension TenantTransaction {
    /// The same transaction, for the tables of the installation.
    public var system: SystemTransaction { SystemTransaction(database: database) }

    /// Creates the organization that this transaction is bound to. Throws `exists` if the slug is taken.
    public func createOrganization(slug: String, name: String) throws -> Organization {
        let row = try database.only(
            """
            insert into organizations (id, slug, name)
            values (\(organization.uuid), \(slug), \(name))
            returning \(fragment: Organization.columns)
            """)
        try audit(.organizationCreated, slug, ["name": .string(name)])
        return try Organization(row: row)
    }

    /// The organization that this transaction is bound to.
    public func currentOrganization() throws -> Organization {
        try Organization(
            row: database.only(
                "select \(fragment: Organization.columns) from organizations where id = \(organization.uuid)"))
    }

    /// Changes the organization. A value that is `nil` stays as it is.
    public func changeOrganization(name: String?, requiresSecondFactor: Bool?) throws -> Organization {
        try lockMembers()
        let before = try currentOrganization()
        let name = name ?? before.name
        let requiresSecondFactor = requiresSecondFactor ?? before.requiresSecondFactor
        guard (name, requiresSecondFactor) != (before.name, before.requiresSecondFactor) else { return before }
        try database.execute(
            """
            update organizations set name = \(name), requires_second_factor = \(requiresSecondFactor)
            where id = \(organization.uuid)
            """)
        try system.noteLostRights()
        let changed = try currentOrganization()
        try audit(.organizationChanged, changed.slug, changed.detail.replacing(before.detail))
        return changed
    }

    /// Sets a user's role in the organization.
    ///
    /// - Parameter old: The user's previous role, if any.
    public func setRole(_ role: Role, labels: [String] = [], of user: User, replacing old: Grant? = nil) throws {
        let grant = Grant(role, labels: labels)
        try database.execute(
            """
            insert into memberships (organization_id, user_id, role, labels)
            values (\(organization.uuid), \(user.id.uuid), \(role.rawValue), \(grant.labels))
            on conflict on constraint memberships_key do update set role = excluded.role, labels = excluded.labels
            """)
        try database.execute(
            """
            delete from former_members where organization_id = \(organization.uuid) and user_id = \(user.id.uuid)
            """)
        try system.noteLostRights()
        let detail = JSONValue.object(grant.detail)
        try audit(.memberRoleSet, user.email, old.map { detail.replacing(.object($0.detail)) } ?? detail)
    }
}
