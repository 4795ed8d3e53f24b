public import FoundationEssentials
import Postgres
import StrictJSON

/// An API token without its secret, for token management.
public struct Token: Hashable, Sendable {
    /// The token's ID.
    public let id: ID<Credential>
    /// The token's name. Several tokens can have the same name.
    public let name: String
    /// The token's role, and its limit.
    public let grant: Grant
    /// The creation time.
    public let createdAt: Date
    /// The expiry time, or `nil` if the token does not expire.
    public let expiresAt: Date?
    /// The time when it was revoked, or `nil` if it was not revoked.
    public let revokedAt: Date?
    /// The time when it was last used, to the minute. `nil` if it was never used.
    public let lastUsedAt: Date?
    /// True if the token is neither expired nor revoked.
    public let isActive: Bool
    /// The trust that it was exchanged for, or `nil` if a person created it.
    public let trust: ID<Trust>?
    /// Who created it, or `nil` for a token of a trust, and for one from before this was recorded.
    public let author: Author?

    fileprivate static let columns: SQL = """
        id, name, role, labels as role_labels, created_at, expires_at, revoked_at, last_used_at, trust_id,
        author_kind, author_name,
        revoked_at is null and coalesce(expires_at > clock_timestamp(), true) as is_active
        """

    /// The token's role.
    public var role: Role { grant.role }

    fileprivate init(row: Row) throws {
        id = try row.id("id")
        name = try row.decode("name", as: String.self)
        grant = try Grant(row: row)
        createdAt = try row.decode("created_at", as: Date.self)
        expiresAt = try row.decode("expires_at", as: Date?.self)
        revokedAt = try row.decode("revoked_at", as: Date?.self)
        lastUsedAt = try row.decode("last_used_at", as: Date?.self)
        isActive = try row.decode("is_active", as: Bool.self)
        trust = try row.optionalID("trust_id")
        author = try row.optionalAuthor(kind: "author_kind", name: "author_name")
    }
}

/// A token that was just created, with its secret.
public struct NewToken: Sendable {
    /// The token.
    public let token: Token
    /// The secret. It is not stored, so this is the only time that it is known.
    public let secret: Secret
}

extension Token {
    /// The token for the audit trail. Several tokens can have the same name, so it has the ID.
    fileprivate var detail: JSONObject {
        var detail = grant.detail
        detail["id"] = .string(id.description)
        detail["expiresAt"] = expiresAt.map { .detail($0) }
        return detail
    }
}

extension SystemTransaction {
    /// The organization of a token, or `nil` if the token does not exist.
    public func organization(ofToken id: ID<Credential>) throws -> Organization? {
        try database.first(
            """
            select \(fragment: Organization.columns)
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
            order by created_at desc, id desc
            limit 1000
            """
        ).map(Token.init(row:))
    }

    /// A page of the organization's tokens, newest first, including expired and revoked ones. The page's key is the ID
    /// of the last token on the previous page.
    public func tokens(_ page: Page) throws -> Listing<Token> {
        return try list(page, key: \.id.description, reading: { try $0.map(Token.init(row:)) }) { page in
            """
            select \(fragment: Token.columns) from credentials
            where organization_id = \(organization.uuid)
              \(fragment: try page.newestFirst(of: "credentials", Credential.self, in: organization))
            """
        }
    }

    /// The token with this ID. Throws `notFound` for a token of another organization.
    public func token(_ id: ID<Credential>) throws -> Token {
        let row = try database.first(
            """
            select \(fragment: Token.columns) from credentials
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "token", key: id.description) }
        return try Token(row: row)
    }

    /// Creates an API token for the organization.
    ///
    /// - Parameters:
    ///   - labels: The labels that the role is limited to.
    ///   - seconds: The token's lifetime, or `nil` for no expiry.
    public func createToken(
        name: String, role: Role, labels: [String] = [], seconds: Int? = nil
    ) throws -> NewToken {
        let made = try insertToken(name: name, Grant(role, labels: labels), seconds: seconds)
        try audit(.tokenCreated, name, .object(made.token.detail))
        return made
    }

    /// Replaces a token by a new one with the same name, role and limit, and the same lifetime from now on. The old token
    /// stays valid for `overlap` seconds at most, so that programs can change to the new one. Throws `notFound`,
    /// `tokenEnded`, and `tokenOfTrust` for a token of a trust, because a rotation would outlive the trust.
    public func rotateToken(_ id: ID<Credential>, overlap: Int) throws -> NewToken {
        let old = try database.first(
            """
            update credentials
            set expires_at = least(expires_at, clock_timestamp() + make_interval(secs => \(overlap)::integer))
            where organization_id = \(organization.uuid) and id = \(id.uuid) and revoked_at is null
              and (expires_at is null or expires_at > clock_timestamp()) and trust_id is null
            returning name, role, labels as role_labels, lifetime_seconds
            """)
        guard let old else {
            let token = try token(id)
            throw token.isActive && token.trust != nil ? StorageError.tokenOfTrust : StorageError.tokenEnded
        }
        try system.noteLostRights()
        let name = try old.decode("name", as: String.self)
        let made = try insertToken(
            name: name, Grant(row: old), seconds: try old.decode("lifetime_seconds", as: Int?.self))
        var detail = made.token.detail
        detail["replaces"] = .string(id.description)
        detail["overlapSeconds"] = .int(overlap)
        try audit(.tokenRotated, name, .object(detail))
        return made
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
        guard let revoked else { return (try token(id), false) }
        try system.noteLostRights()
        try audit(.tokenRevoked, revoked.name, .object(revoked.detail))
        return (revoked, true)
    }

    /// Creates a token for a trust. Removes tokens of trusts that expired more than a week ago: the audit trail keeps
    /// their names.
    ///
    /// - Parameter run: The CI system's ID of the run, if the claims have one.
    func createToken(name: String, of trust: Trust, run: String?) throws -> NewToken {
        try database.execute(
            """
            delete from credentials
            where organization_id = \(organization.uuid) and trust_id is not null
              and expires_at < clock_timestamp() - interval '7 days'
            """)
        let made = try insertToken(
            name: name, trust.terms.grant, seconds: trust.terms.lifetimeSeconds, trust: trust.id)
        var detail = made.token.detail
        detail["trust"] = .string(trust.terms.name)
        detail["run"] = run.map { .string($0) }
        try audit(.tokenCreated, name, .object(detail))
        return made
    }

    /// Revokes all tokens of a trust.
    func revokeTokens(of trust: ID<Trust>) throws {
        try database.execute(
            """
            update credentials set revoked_at = clock_timestamp()
            where organization_id = \(organization.uuid) and trust_id = \(trust.uuid) and revoked_at is null
              and expires_at > clock_timestamp()
            """)
        try system.noteLostRights()
    }

    private func insertToken(
        name: String, _ grant: Grant, seconds: Int?, trust: ID<Trust>? = nil
    ) throws -> NewToken {
        let secret = Secret(prefix: Secret.tokenPrefix)
        let creator = trust == nil ? author : nil
        let row = try database.only(
            """
            insert into credentials (
              id, organization_id, secret_sha256, name, role, labels, lifetime_seconds, trust_id, author_kind,
              author_name, expires_at)
            values (
              \(UUID()), \(organization.uuid), \(secret.sha256), \(name), \(grant.role.rawValue), \(grant.labels),
              \(seconds), \(trust?.uuid), \(creator?.kind.rawValue), \(creator?.name),
              clock_timestamp() + make_interval(secs => \(seconds)::integer))
            returning \(fragment: Token.columns)
            """)
        return NewToken(token: try Token(row: row), secret: secret)
    }
}
