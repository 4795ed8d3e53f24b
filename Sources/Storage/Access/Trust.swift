public import FoundationEssentials
import Postgres
public import StrictJSON

/// A trust in the tokens of a CI system. A job whose token has exactly the required claims gets a short-lived token.
public struct Trust: Hashable, Sendable {
    /// The kind of CI system. It decides which claims are required.
    public enum Provider: String, CaseIterable, Sendable {
        case github, gitlab, other
    }

    /// The properties that a person chooses.
    public struct Terms: Hashable, Sendable {
        /// The trust's name, unique in the organization.
        public var name: String
        /// The kind of CI system.
        public var provider: Provider
        /// The issuer of the tokens, exactly as in their claim `iss`.
        public var issuer: String
        /// The required audience.
        public var audience: String
        /// The required claims. Each value must be exactly this text.
        public var claims: [String: String]
        /// The role of the tokens, and its limit.
        public var grant: Grant
        /// The lifetime of the tokens, in seconds.
        public var lifetimeSeconds: Int

        /// Creates terms.
        public init(
            name: String, provider: Provider, issuer: String, audience: String, claims: [String: String], grant: Grant,
            lifetimeSeconds: Int
        ) {
            self.name = name
            self.provider = provider
            self.issuer = issuer
            self.audience = audience
            self.claims = claims
            self.grant = grant
            self.lifetimeSeconds = lifetimeSeconds
        }

        /// The names of the required claims that a token does not have with exactly these values, sorted.
        public func missing(in token: JSONObject) -> [String] {
            claims.filter { name, value in token[name] != .string(value) }.keys.sorted()
        }
    }

    /// The maximum number of trusts in an organization.
    public static let maximum = 100
    /// The allowed lifetimes of the tokens, in seconds.
    public static let lifetimes = 60...900

    /// The trust's ID.
    public let id: ID<Trust>
    /// The properties that a person chose.
    public let terms: Terms
    /// Who chose them last, or `nil` if that was before this was recorded.
    public let author: Author?
    /// The creation time.
    public let createdAt: Date
    /// The time of the last exchange, or `nil`.
    public let lastUsedAt: Date?
    /// The time of the last event about a refused token, or `nil`.
    public let lastRefusedAt: Date?

    static let columns: SQL = """
        id, name, provider, issuer, audience, claims, role, labels as role_labels, lifetime_seconds, created_at,
        last_used_at, last_refused_at, author_kind, author_name
        """

    init(row: Row) throws {
        id = try row.id("id")
        let claims = try row.json("claims").object?.members.compactMap { member in
            member.value.string.map { (member.name, $0) }
        }
        terms = Terms(
            name: try row.decode("name", as: String.self),
            provider: try row.value("provider", Provider.init(rawValue:)),
            issuer: try row.decode("issuer", as: String.self),
            audience: try row.decode("audience", as: String.self),
            claims: Dictionary(claims ?? [], uniquingKeysWith: { first, _ in first }),
            grant: try Grant(row: row),
            lifetimeSeconds: try row.decode("lifetime_seconds", as: Int.self))
        author = try row.optionalAuthor(kind: "author_kind", name: "author_name")
        createdAt = try row.decode("created_at", as: Date.self)
        lastUsedAt = try row.decode("last_used_at", as: Date?.self)
        lastRefusedAt = try row.decode("last_refused_at", as: Date?.self)
    }
}

extension Trust.Terms {
    /// The required claims as JSON, sorted by name.
    public var claimsJSON: JSONValue {
        .object(JSONObject(claims.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// The terms for the audit trail.
    var detail: JSONValue {
        var detail = grant.detail
        detail["issuer"] = .string(issuer)
        detail["audience"] = .string(audience)
        detail["claims"] = claimsJSON
        detail["lifetimeSeconds"] = .int(lifetimeSeconds)
        return .object(detail)
    }
}
