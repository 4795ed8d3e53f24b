import Fetching
import FoundationEssentials
import HTTPTypes
import OpenIDConnect
import Storage
import StrictJSON

/// `/v1/token-exchanges`: a job of a CI system exchanges its token for a short-lived one.
///
/// The checks are in the order of their cost: form and times, issuer and audience, signature, claims. An error never
/// says which trusts exist; the organization's events do.
extension API {
    func exchangeToken(_ call: Call) async throws -> Answer {
        let (slug, text) = try call.decode { reader -> (slug: String, text: String)? in
            let slug = reader.required("organization", .text(min: 1, max: 63))
            let text = reader.required("token", .text(min: 1, max: IDToken.maximumLength))
            guard let slug, let text else { return nil }
            return (slug, text)
        }
        let token: IDToken
        do throws(TokenError) {
            token = try IDToken(parsing: text)
            try token.checkTimes(now: Date().timeIntervalSince1970)
        } catch {
            throw APIError(.unauthorized, "invalid_token", error.description).with(.wwwAuthenticate, "Bearer")
        }
        guard let organization = try await store.read({ try $0.organization(slug: slug) }) else {
            throw APIError.tokenRefused
        }
        let trusts = try await store.read(as: organization.id) {
            try $0.trusts(issuer: token.issuer, audiences: token.audiences)
        }
        guard let nearest = trusts.min(by: { $0.misses(token) < $1.misses(token) }),
            let issuer = FetchURL(nearest.terms.issuer, allowsLoopback: settings.allowsLoopbackIssuers)
        else { throw APIError.tokenRefused }
        try await verify(token, from: issuer, call, organization, nearest)
        guard nearest.misses(token) == 0 else {
            try await note(nearest.refusal(of: token), nearest, organization)
            throw APIError.tokenRefused
        }
        let name = nearest.tokenName(for: token.claims)
        let made = try await store.write(as: organization.id, by: Author(kind: .token, name: name)) {
            try $0.exchange(
                nearest, claims: token.claims, fingerprint: token.fingerprint,
                forgetAt: Date(timeIntervalSince1970: token.expiry + 2 * IDToken.skew), name: name)
        }
        guard let made else { throw APIError.tokenRefused }
        return .json(
            [
                "token": .string(made.secret.text), "name": .string(made.token.name),
                "role": .string(made.token.role.rawValue),
                "labels": made.token.grant.labelsJSON,
                "expiresAt": .time(made.token.expiresAt),
                "trust": .string(nearest.id.description),
            ], .created)
    }

    /// Checks the signature. While the issuer is asked for its keys, other requests use the slot.
    private func verify(
        _ token: IDToken, from issuer: FetchURL, _ call: Call, _ organization: Organization, _ trust: Trust
    ) async throws {
        do {
            try await call.stepAside { [issuers] in
                try await issuers.verify(token, from: issuer, for: organization.slug)
            }
        } catch is TokenError {
            throw APIError.tokenRefused
        } catch let error as IssuerError {
            try await note(error.description, trust, organization)
            throw APIError.issuerUnavailable
        }
    }

    private func note(_ reason: String, _ trust: Trust, _ organization: Organization) async throws {
        try await store.write(as: organization.id, by: .system) { try $0.noteRefusal(by: trust, because: reason) }
    }
}

extension Trust {
    fileprivate func misses(_ token: IDToken) -> Int { terms.missing(in: token.claims).count }

    /// Why a token is refused, for the organization's administrators.
    fileprivate func refusal(of token: IDToken) -> String {
        let differences = terms.missing(in: token.claims).map { name in
            let value = token.claims[name]?.string.map { "`\($0.printable(max: 100))`" } ?? "missing"
            return "`\(name)` is \(value), not `\(terms.claims[name] ?? "")`"
        }
        return "A token has other claims: \(differences.joined(separator: "; "))."
    }

    /// The name of a token: the trust's name and the run, such as "Deploy octocat/shop@main #123".
    fileprivate func tokenName(for claims: JSONObject) -> String {
        func text(_ name: String) -> String? { claims[name]?.string }
        let (place, run): (String?, String?) =
            switch terms.provider {
            case .github: (text("repository"), text("run_number"))
            case .gitlab: (text("project_path"), text("pipeline_id"))
            case .other: (text("sub"), nil)
            }
        let ref = text("ref").map { "@" + $0.trimmingPrefix("refs/heads/") } ?? ""
        let words = place.map { " " + $0 + (terms.provider == .other ? "" : ref) } ?? ""
        return terms.name + (words + (run.map { " #\($0)" } ?? "")).printable(max: 130)
    }
}

extension String {
    /// The text in printable ASCII, at most `max` characters. The texts of tokens come from strangers.
    fileprivate func printable(max: Int) -> String {
        String(unicodeScalars.prefix(max).map { (" "..."~").contains($0) && $0 != "`" ? Character($0) : "?" })
    }
}

extension APIError {
    fileprivate static let tokenRefused = APIError(
        .unauthorized, "token_refused",
        "The organization does not accept this token. Its administrators find the reason among the events."
    ).with(.wwwAuthenticate, "Bearer")

    fileprivate static let issuerUnavailable = APIError(
        .serviceUnavailable, "issuer_unavailable",
        "The keys of the token's issuer cannot be read now. Try again in a moment."
    ).with(.retryAfter, "5")
}
