import HTTPTypes
import Hummingbird
import Storage

/// Identifies the caller and the organization of a call.
struct Authentication: Sendable {

    let store: Store
    let cookie: SessionCookie
    let consumers: ConsumerCredentials
    /// The dashboard's public address; nil if it is not set.
    let publicOrigin: Origin?

    /// The caller. A malformed credential is refused without a query.
    func caller(of request: HTTPRequest) async throws -> Caller {
        if let authorization = request.headerFields[.authorization] {
            guard let token = bearer(authorization) else { throw APIError.otherScheme(authorization) }
            guard let secret = Secret(token, prefix: Secret.tokenPrefix),
                let credential = try await store.credential(secret)
            else { throw APIError.unauthenticated("The token is invalid, expired or revoked.") }
            return .token(credential)
        }
        guard let secret = cookie.secret(in: request) else {
            throw APIError.unauthenticated("Send `Authorization: Bearer wm_…`, or sign in.")
        }
        try requireSameOrigin(request)
        guard let session = try await store.read({ try $0.session(secret) }) else {
            throw APIError.unauthenticated("Your session has ended. Sign in again.")
        }
        return .user(session, secret: secret)
    }

    /// The caller as a member of the organization that the call is about.
    /// - Throws: 403 `forbidden` if the caller's role is too low.
    func member(_ caller: Caller, in request: HTTPRequest, atLeast role: Role) throws -> Member {
        let membership = try membership(of: caller, named: request.headerFields[.waymarkOrganization])
        guard membership.role >= role else { throw APIError.forbidden(needed: role, has: membership.role) }
        return Member(organization: membership.organization, role: membership.role, author: caller.author)
    }

    /// - Throws: 401 `unauthenticated` unless the request has a consumer's credential.
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

    /// The token of the scheme Bearer (RFC 6750, section 2.1); `nil` for another scheme.
    private func bearer(_ authorization: String) -> String? {
        guard authorization.lowercased().hasPrefix("bearer ") else { return nil }
        return String(authorization.dropFirst("bearer ".count))
    }

    /// A browser sends the session cookie with every request, whichever site's page makes it. So a request that changes
    /// something must come from our own pages, which browsers report in `Sec-Fetch-Site`
    /// (https://www.w3.org/TR/fetch-metadata/) and `Origin`. One of the two is required, and neither may name another
    /// site.
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

    /// Refuses a `Host` other than the public address's: otherwise the pages of a host name that an attacker points at
    /// this address would count as our own (DNS rebinding).
    func requireOwnHost(_ request: HTTPRequest) throws {
        guard let publicOrigin else { return }
        let asked = request.authority.flatMap { Origin(isSecure: publicOrigin.isSecure, authority: $0) }
        guard asked == publicOrigin else { throw APIError.misdirected }
    }

    /// The public address; if it is not set, the address that the request was sent to, over http as this process
    /// speaks it.
    private func ownOrigin(_ request: HTTPRequest) -> Origin? {
        publicOrigin ?? request.authority.flatMap { Origin(isSecure: false, authority: $0) }
    }
}

/// The cookie with a session's secret. Over https, the prefix `__Host-` of its name binds it to the host and to https.
struct SessionCookie: Sendable {
    /// How long a session lasts, in seconds: 14 days.
    static let seconds = 14 * 24 * 3_600

    let isSecure: Bool

    private var name: String { isSecure ? "__Host-waymark" : "waymark" }

    func secret(in request: HTTPRequest) -> Secret? {
        for pair in request.headerFields[values: .cookie].flatMap({ $0.split(separator: ";") }) {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == name { return Secret(String(parts[1]), prefix: "") }
        }
        return nil
    }

    func setting(_ secret: Secret) -> String {
        "\(name)=\(secret.text); Path=/; Max-Age=\(Self.seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    var clearing: String { "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "") }
}
