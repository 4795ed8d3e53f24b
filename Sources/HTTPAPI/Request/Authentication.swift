import HTTPTypes
import Hummingbird
import Storage

/// Identifies who sends a request, and for which organization.
struct Authentication: Sendable {

    let store: Store
    let callers: CallerMemory
    let cookie: SessionCookie
    let consumers: ConsumerCredentials
    /// The dashboard's public address, or `nil` if it is not set.
    let publicOrigin: Origin?

    /// Returns the caller. A malformed credential is rejected without a query.
    func caller(of request: HTTPRequest) async throws -> Caller {
        if let authorization = request.headerFields[.authorization] {
            guard let token = bearer(authorization) else { throw APIError.otherScheme(authorization) }
            guard let secret = Secret(token, prefix: Secret.tokenPrefix),
                let credential = try await callers.credential(secret, read: store.credential)
            else { throw APIError.unauthenticated("The token is invalid, expired or revoked.") }
            return .token(credential)
        }
        guard let secret = cookie.secret(in: request) else {
            throw APIError.unauthenticated("Send `Authorization: Bearer wm_…`, or sign in.")
        }
        try requireSameOrigin(request)
        guard let session = try await callers.session(secret, read: store.session) else {
            throw APIError.sessionEnded
        }
        return .user(session, secret: secret)
    }

    /// Returns the caller as a member of the call's organization.
    /// - Throws: An error if the organization is unknown or not named, 403 `forbidden` if the role is too low, and 403
    ///   `second_factor_missing` if the organization requires a second factor that the user does not have.
    func member(_ caller: Caller, in request: HTTPRequest, atLeast role: Role) throws -> Member {
        let membership = try membership(of: caller, named: request.headerFields[.waymarkOrganization])
        try requireSecondFactor(of: caller, in: membership.organization)
        guard membership.role >= role else { throw APIError.forbidden(needed: role, has: membership.role) }
        return Member(
            organization: membership.organization, grant: membership.grant, author: caller.author, user: caller.user,
            hasConfirmed: caller.hasConfirmed)
    }

    private func requireSecondFactor(of caller: Caller, in organization: Organization) throws(APIError) {
        // If the organization's own provider signed the user in, the provider is responsible for second factors.
        guard organization.requiresSecondFactor, case .user(let session, _) = caller, !session.hasSecondFactor,
            session.provider == nil
        else { return }
        throw APIError.secondFactorMissing
    }

    /// Requires a consumer's credential.
    /// - Throws: 401 `unauthenticated` if it is missing or invalid.
    func requireConsumer(_ request: HTTPRequest) throws {
        guard let shown = request.headerFields[.authorization].flatMap(bearer), consumers.contain(shown) else {
            throw APIError.unauthenticated("Send the consumer credential: `Authorization: Bearer …`.")
        }
    }

    private func membership(of caller: Caller, named slug: String?) throws -> Membership {
        guard let slug else {
            if let only = caller.memberships.first, caller.memberships.count == 1 { return only }
            throw APIError.organizationRequired
        }
        guard let named = caller.memberships.first(where: { $0.organization.slug == slug }) else {
            throw APIError.notFound("organization", slug)
        }
        return named
    }

    /// Returns the token of the scheme Bearer (RFC 6750, section 2.1), or `nil` for another scheme.
    private func bearer(_ authorization: String) -> String? {
        guard authorization.lowercased().hasPrefix("bearer ") else { return nil }
        return String(authorization.dropFirst("bearer ".count))
    }

    /// Checks that a request comes from our own pages. This is necessary because a browser sends the session cookie
    /// even with requests from pages of other sites. Browsers report the origin of a request in `Sec-Fetch-Site`
    /// (https://www.w3.org/TR/fetch-metadata/) and `Origin`. At least one of them is required, and neither may name
    /// another site. GET, HEAD and OPTIONS are always accepted.
    func requireSameOrigin(_ request: HTTPRequest) throws {
        guard ![.get, .head, .options].contains(request.method) else { return }
        let site = request.headerFields[.secFetchSite]
        guard site == nil || site == "same-origin" else { throw APIError.crossOrigin }
        if let text = request.headerFields[.origin] {
            guard let origin = Origin(text), origin == ownOrigin(request) else { throw APIError.crossOrigin }
        } else if site == nil {
            throw APIError.crossOrigin
        }
    }

    /// Checks a request that needs no credential and opens a session. Programs send neither `Origin` nor
    /// `Sec-Fetch-Site`. If a field is present, it is checked, so that pages of other sites cannot sign users in.
    func requireOwnPage(_ request: HTTPRequest) throws {
        let fields = request.headerFields
        if fields[.origin] != nil || fields[.secFetchSite] != nil { try requireSameOrigin(request) }
    }

    /// Rejects a `Host` other than that of the public address. Otherwise an attacker could point a host name at this
    /// address, and the attacker's pages would count as our own (DNS rebinding).
    func requireOwnHost(_ request: HTTPRequest) throws {
        guard let publicOrigin else { return }
        let asked = request.authority.flatMap { Origin(isSecure: publicOrigin.isSecure, authority: $0) }
        guard asked == publicOrigin else { throw APIError.misdirected }
    }

    /// The address of the dashboard, for links: the public address, or the address to which the request was sent.
    func ownAddress(_ request: HTTPRequest) -> String { ownOrigin(request)?.text ?? "" }

    /// The host of ``ownAddress(_:)``.
    func ownHost(_ request: HTTPRequest) -> String { ownOrigin(request)?.host ?? "" }

    /// Returns the public address. If it is not set, returns the request's host with http, because this process has no
    /// TLS.
    private func ownOrigin(_ request: HTTPRequest) -> Origin? {
        publicOrigin ?? request.authority.flatMap { Origin(isSecure: false, authority: $0) }
    }
}

/// The cookie with a session's secret. With https, its name has the prefix `__Host-`, so browsers send it only to this
/// host and only with https.
struct SessionCookie: Sendable {
    let isSecure: Bool
    /// The end of the cookie's name. Empty for a session.
    var purpose = ""
    /// How long browsers keep the cookie, in seconds.
    var lifetime = Session.lifetime

    private var name: String { (isSecure ? "__Host-waymark" : "waymark") + purpose }

    func secret(in request: HTTPRequest) -> Secret? {
        for pair in request.headerFields[values: .cookie].flatMap({ $0.split(separator: ";") }) {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == name { return Secret(String(parts[1]), prefix: "") }
        }
        return nil
    }

    func setting(_ secret: Secret) -> String {
        "\(name)=\(secret.text); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    var clearing: String { "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "") }
}
