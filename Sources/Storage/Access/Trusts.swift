public import FoundationEssentials
import Postgres
public import StrictJSON

extension TenantTransaction {
    /// A page of the organization's trusts, newest first. The page's key is the ID of the last trust on the previous
    /// page.
    public func trusts(_ page: Page) throws -> Listing<Trust> {
        return try list(page, key: \.id.description, reading: { try $0.map(Trust.init(row:)) }) { page in
            """
            select \(fragment: Trust.columns) from trusts
            where organization_id = \(organization.uuid)
              \(fragment: try page.newestFirst(of: "trusts", Trust.self, in: organization))
            """
        }
    }

    /// The trusts in the tokens of an issuer for an audience, oldest first.
    public func trusts(issuer: String, audiences: [String]) throws -> [Trust] {
        try database.query(
            """
            select \(fragment: Trust.columns) from trusts
            where organization_id = \(organization.uuid) and issuer = \(issuer) and audience = any(\(audiences)::text[])
            order by created_at, id
            limit \(Trust.maximum)
            """
        ).map(Trust.init(row:))
    }

    /// The trust with this ID. Throws `notFound`.
    ///
    /// - Parameter isLocked: True if the trust must not change until the transaction ends.
    public func trust(_ id: ID<Trust>, isLocked: Bool = false) throws -> Trust {
        let lock: SQL = isLocked ? "for no key update" : ""
        let row = try database.first(
            """
            select \(fragment: Trust.columns) from trusts
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            \(fragment: lock)
            """)
        guard let row else { throw StorageError.notFound(kind: "trust", key: id.description) }
        return try Trust(row: row)
    }

    /// Creates a trust. Throws `exists` and `tooManyTrusts`.
    public func createTrust(_ terms: Trust.Terms) throws -> Trust {
        let count = try database.only(
            "select count(*) as trusts from trusts where organization_id = \(organization.uuid)"
        ).decode("trusts", as: Int.self)
        guard count < Trust.maximum else { throw StorageError.tooManyTrusts }
        let made = try Trust(
            row: try database.only(
                """
                insert into trusts (
                  organization_id, id, name, provider, issuer, audience, claims, role, labels,
                  lifetime_seconds, author_kind, author_name)
                values (
                  \(organization.uuid), \(UUID()), \(terms.name), \(terms.provider.rawValue), \(terms.issuer),
                  \(terms.audience), \(terms.claimsJSON.text)::json, \(terms.grant.role.rawValue),
                  \(terms.grant.labels), \(terms.lifetimeSeconds), \(author.kind.rawValue), \(author.name))
                returning \(fragment: Trust.columns)
                """))
        try audit(.trustCreated, terms.name, terms.detail)
        return made
    }

    /// Changes a locked trust and ends its tokens: within a second after the commit, requests with them are refused.
    /// If the terms are the same, nothing changes. Throws `exists`.
    public func changeTrust(_ trust: Trust, to terms: Trust.Terms) throws -> Trust {
        guard terms != trust.terms else { return trust }
        let row = try database.only(
            """
            update trusts
            set name = \(terms.name), provider = \(terms.provider.rawValue), issuer = \(terms.issuer),
              audience = \(terms.audience), claims = \(terms.claimsJSON.text)::json,
              role = \(terms.grant.role.rawValue), labels = \(terms.grant.labels),
              lifetime_seconds = \(terms.lifetimeSeconds), author_kind = \(author.kind.rawValue),
              author_name = \(author.name)
            where organization_id = \(organization.uuid) and id = \(trust.id.uuid)
            returning \(fragment: Trust.columns)
            """)
        try revokeTokens(of: trust.id)
        try audit(.trustChanged, terms.name, terms.detail.replacing(trust.terms.detail))
        return try Trust(row: row)
    }

    /// Deletes a locked trust and ends its tokens: within a second after the commit, requests with them are refused.
    public func deleteTrust(_ trust: Trust) throws {
        try database.execute(
            "delete from trusts where organization_id = \(organization.uuid) and id = \(trust.id.uuid)")
        try revokeTokens(of: trust.id)
        try audit(.trustDeleted, trust.terms.name, .object(trust.terms.grant.detail))
    }

    /// Exchanges a verified token of a CI system. The trust is read again and locked, so it cannot be changed or deleted
    /// until the new token is committed.
    ///
    /// - Parameters:
    ///   - claims: The claims of the verified token.
    ///   - fingerprint: A digest that identifies the verified token.
    ///   - forgetAt: The time when the verified token has expired.
    ///   - name: The name of the new token.
    /// - Returns: `nil` if the trust no longer accepts the claims.
    /// - Throws: `tokenUsed` if the verified token was exchanged before.
    public func exchange(
        _ trust: Trust, claims: JSONObject, fingerprint: [UInt8], forgetAt: Date, name: String
    ) throws -> NewToken? {
        do {
            let locked = try self.trust(trust.id, isLocked: true)
            guard locked.terms == trust.terms, locked.terms.missing(in: claims).isEmpty else { return nil }
        } catch StorageError.notFound {
            return nil
        }
        try database.execute(
            """
            delete from exchanged_tokens
            where organization_id = \(organization.uuid) and expires_at < clock_timestamp()
            """)
        let isNew = try database.first(
            """
            insert into exchanged_tokens (organization_id, fingerprint, expires_at)
            values (\(organization.uuid), \(fingerprint), \(forgetAt))
            on conflict do nothing
            returning organization_id
            """)
        guard isNew != nil else { throw StorageError.tokenUsed }
        try database.execute(
            """
            update trusts set last_used_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(trust.id.uuid)
            """)
        let run = ["run_id", "pipeline_id"].lazy.compactMap { claims[$0]?.string }.first
        return try createToken(name: name, of: trust, run: run.map { String($0.prefix(100)) })
    }

    /// Records that a verified token does not have the claims of a trust, at most once in ten minutes per trust. So
    /// tokens of strangers cannot fill the audit trail.
    public func noteRefusal(by trust: Trust, because reason: String) throws {
        let isNoted = try database.first(
            """
            update trusts set last_refused_at = clock_timestamp()
            where organization_id = \(organization.uuid) and id = \(trust.id.uuid)
              and coalesce(last_refused_at < clock_timestamp() - interval '10 minutes', true)
            returning id
            """)
        guard isNoted != nil else { return }
        try audit(.trustRefused, trust.terms.name, ["reason": .string(reason)])
    }
}
