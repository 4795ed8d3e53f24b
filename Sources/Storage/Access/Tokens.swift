public import FoundationEssentials
import Postgres
import StrictJSON

/// An API token without its secret, for token management.
public struct Token: Hashable, Sendable {
    /// The token's ID.
    public let id: ID<Credential>
    /// The token's name. Several tokens can have the same name.
    public let name: String
    /// The token's role.
    public let role: Role
    /// The creation time.
    public let createdAt: Date
    /// The expiry time, or `nil` if the token does not expire.
    public let expiresAt: Date?
    /// The time when it was revoked, or `nil` if it was not revoked.
    public let revokedAt: Date?

    fileprivate static let columns: SQL = "id, name, role, created_at, expires_at, revoked_at"

    fileprivate init(row: Row) throws {
        id = try row.id("id")
        name = try row.decode("name", as: String.self)
        role = try row.value("role", Role.init(rawValue:))
        createdAt = try row.decode("created_at", as: Date.self)
        expiresAt = try row.decode("expires_at", as: Date?.self)
        revokedAt = try row.decode("revoked_at", as: Date?.self)
    }
}

extension SystemTransaction {
    /// The organization of a token, or `nil` if the token does not exist.
    public func organization(ofToken id: ID<Credential>) throws -> Organization? {
        try database.first(
            """
            select organizations.id as organization_id, organizations.slug, organizations.name as organization_name
            from credentials
            join organizations on organizations.id = credentials.organization_id
            where credentials.id = \(id.uuid)
            """
        ).map(Organization.init(row:))
    }
}

extension TenantTransaction {
    /// The organization's tokens, newest first, including expired and revoked ones. At most 1,000.
    public func tokens() throws -> [Token] {
        try database.query(
            """
            select \(fragment: Token.columns) from credentials
            where organization_id = \(organization.uuid)
            order by created_at desc, id
            limit 1000
            """
        ).map(Token.init(row:))
    }

    /// Revokes a token. Within a second after the commit, requests with it are refused. If the token is already revoked,
    /// nothing changes. Throws `notFound` for a token of another organization.
    ///
    /// - Returns: The token, and whether this call revoked it.
    public func revokeToken(_ id: ID<Credential>) throws -> (token: Token, isNew: Bool) {
        let revoked = try database.first(
            """
            update credentials set revoked_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(id.uuid) and revoked_at is null
            returning \(fragment: Token.columns)
            """
        ).map(Token.init(row:))
        if let revoked {
            try system.noteLostRights()
            try audit(.tokenRevoked, revoked.name, ["role": .string(revoked.role.rawValue)])
            return (revoked, true)
        }
        let known = try database.first(
            """
            select \(fragment: Token.columns) from credentials
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """
        ).map(Token.init(row:))
        guard let token = known else {
            throw StorageError.notFound(kind: "token", key: id.description)
        }
        return (token, false)
    }
}
