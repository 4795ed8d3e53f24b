import FoundationEssentials
import Postgres
import StrictJSON

/// An API token, without its secret.
public struct Credential: Hashable, Sendable {
    /// The token's ID.
    public let id: ID<Credential>
    /// The organization that the token acts for.
    public let organization: Organization
    /// The token's name.
    public let name: String
    /// The token's role, and its limit.
    public let grant: Grant
    /// The number of seconds until the token expires, counted from when it was read. `nil` if it does not expire.
    public let secondsLeft: Double?
}

extension Store {
    /// The token with this secret, or `nil` if it does not exist, has expired or was revoked. Records the use of the
    /// token, once a minute at most.
    public func credential(_ secret: Secret) async throws -> Credential? {
        let row = try await pool.read(
            """
            select credentials.id, credentials.name, credentials.role, credentials.labels as role_labels,
              \(fragment: Organization.columns),
              extract(epoch from credentials.expires_at - clock_timestamp())::double precision as seconds_left,
              coalesce(credentials.last_used_at < now() - interval '1 minute', true) as use_is_to_record
            from credentials
            join organizations on organizations.id = credentials.organization_id
            where credentials.secret_sha256 = \(secret.sha256) and credentials.revoked_at is null
              and (credentials.expires_at is null or credentials.expires_at > clock_timestamp())
            """
        ).first
        guard let row else { return nil }
        let id: ID<Credential> = try row.id("id")
        if try row.decode("use_is_to_record", as: Bool.self) {
            // If the database refuses to write, the token can still read.
            try? await write { try $0.recordUse(of: id) }
        }
        return Credential(
            id: id,
            organization: try Organization(row: row),
            name: try row.decode("name", as: String.self),
            grant: try Grant(row: row),
            secondsLeft: try row.decode("seconds_left", as: Double?.self))
    }
}

extension SystemTransaction {
    /// Records that a token is used now. Many requests can call this at the same time, so it waits for none of them.
    fileprivate func recordUse(of id: ID<Credential>) throws {
        try database.execute(
            """
            update credentials set last_used_at = date_trunc('minute', clock_timestamp())
            where id = (select id from credentials where id = \(id.uuid) for no key update skip locked)
            """)
    }

    /// When this transaction commits, tells all processes to clear their caches of callers.
    func noteLostRights() throws { try database.notify(Store.accessChannel) }
}
