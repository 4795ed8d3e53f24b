import Fetching
import Storage
import StrictJSON

/// `/v1/trusts`: the CI systems whose jobs get tokens without a stored secret. A member cannot create, change or
/// delete a trust with a role above their own.
extension API {
    func listTrusts(_ call: Call, _ member: Member) async throws -> Answer {
        let page = try call.page()
        let trusts = try await read(as: member) { try $0.trusts(page) }
        return call.list(trusts, \.json)
    }

    func createTrust(_ call: Call, _ member: Member) async throws -> Answer {
        let (rules, usual) = (trustRules(member), usualAudience(of: call, member))
        let terms = try call.decode { reader -> Trust.Terms? in
            let name = reader.required("name", .label)
            let given = reader.optional("provider", .choice(of: Trust.Provider.self), default: .other)
            let issuer =
                given.usualIssuer == nil
                ? reader.required("issuer", .text(max: FetchURL.maximumLength))
                : reader.optional("issuer", .text(max: FetchURL.maximumLength)) ?? given.usualIssuer
            let audience = reader.optional("audience", .text(max: 500)) ?? usual
            let claims = reader.required("claims", .claims)
            let grant = reader.grant()
            let lifetime = reader.optional("lifetimeSeconds", .int(in: Trust.lifetimes)) ?? Trust.lifetimes.upperBound
            guard let name, let issuer, let claims, let grant else { return nil }
            let terms = Trust.Terms(
                name: name, provider: Trust.Provider(issuer: issuer) ?? given, issuer: issuer, audience: audience,
                claims: claims, grant: grant, lifetimeSeconds: lifetime)
            return rules.report(terms, to: reader) ? nil : terms
        }
        try member.requireRole(terms.grant.role, because: "the trust's tokens would have this role")
        let made = try await write(as: member) { try $0.createTrust(terms) }
        return .created(made.json, at: "/v1/trusts/\(made.id)")
    }

    func showTrust(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.trustID()
        return .json(try await read(as: member) { try $0.trust(id) }.json)
    }

    func changeTrust(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.trustID()
        let rules = trustRules(member)
        let body = try call.json()
        let changed = try await write(as: member) { tenant in
            let trust = try tenant.trust(id, isLocked: true)
            let terms = try JSONObjectReader.decode(body) { reader -> Trust.Terms? in
                var terms = trust.terms
                terms.name = reader.replacement("name", .label) ?? terms.name
                terms.audience = reader.replacement("audience", .text(max: 500)) ?? terms.audience
                terms.claims = reader.replacement("claims", .claims) ?? terms.claims
                terms.grant = reader.grant(replacing: terms.grant) ?? terms.grant
                terms.lifetimeSeconds =
                    reader.replacement("lifetimeSeconds", .int(in: Trust.lifetimes)) ?? terms.lifetimeSeconds
                return rules.report(terms, to: reader) ? nil : terms
            }
            try member.requireRole(
                max(trust.terms.grant.role, terms.grant.role), because: "the trust's tokens have or would get this role"
            )
            return try tenant.changeTrust(trust, to: terms)
        }
        authentication.callers.forget()
        return .json(changed.json)
    }

    func deleteTrust(_ call: Call, _ member: Member) async throws -> Answer {
        let id = try call.trustID()
        try await write(as: member) { tenant in
            let trust = try tenant.trust(id, isLocked: true)
            try member.requireRole(trust.terms.grant.role, because: "the trust's tokens have this role")
            try tenant.deleteTrust(trust)
        }
        authentication.callers.forget()
        return .noContent
    }

    private func trustRules(_ member: Member) -> TrustRules {
        TrustRules(slug: member.organization.slug, allowsLoopback: settings.allowsLoopbackIssuers)
    }

    /// The default audience: the dashboard's address and the organization. So a token for one installation or
    /// organization is not accepted by another one.
    private func usualAudience(of call: Call, _ member: Member) -> String {
        "\(authentication.ownAddress(call.request))/\(member.organization.slug)"
    }
}

extension Trust {
    var json: JSONValue {
        [
            "id": .string(id.description), "name": .string(terms.name), "provider": .string(terms.provider.rawValue),
            "issuer": .string(terms.issuer), "audience": .string(terms.audience), "claims": terms.claimsJSON,
            "role": .string(terms.grant.role.rawValue), "labels": terms.grant.labelsJSON,
            "lifetimeSeconds": .int(terms.lifetimeSeconds), "author": author?.json ?? .null,
            "createdAt": .time(createdAt),
            "lastUsedAt": .time(lastUsedAt), "lastRefusedAt": .time(lastRefusedAt),
        ]
    }
}

extension Call {
    fileprivate func trustID() throws -> ID<Trust> { try id("trust") }
}
