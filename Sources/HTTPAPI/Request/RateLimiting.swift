import FoundationEssentials
import HTTPTypes
import Metrics
import Storage

/// The rate limits of requests, with the fields of draft-ietf-httpapi-ratelimit-headers-11. They come before the fair
/// shares: a client that keeps to its limits can still have to wait for a slot.
struct RateLimiting: Sendable {
    let limiter: RateLimiter
    /// The network of a client, 16 bytes, from the peer's address and `X-Forwarded-For`.
    let client: @Sendable (_ peer: String, _ forwardedFor: String?) -> [UInt8]

    private let refusals = Dictionary(
        uniqueKeysWithValues: RatePolicy.allCases.map { policy in
            (policy, Counter(label: "waymark_rate_limited_total", dimensions: [("policy", policy.rawValue)]))
        })

    init(_ limiter: RateLimiter, client: @escaping @Sendable (String, String?) -> [UInt8]) {
        self.limiter = limiter
        self.client = client
    }

    /// The client's network.
    func network(of request: HTTPRequest, _ context: APIContext) -> UUID {
        let network = client(context.peer, request.headerFields[.forwardedFor])
        guard network.count == 16 else { return RateLimiter.others }
        return network.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Counts a request of a client without a valid credential.
    ///
    /// - Parameter isCostly: Whether it hashes a password or sends a mail.
    /// - Throws: 429 `rate_limited`.
    func countVisit(_ request: HTTPRequest, _ context: APIContext, isCostly: Bool = false) throws -> HTTPFields {
        let network = network(of: request, context)
        let visit = count(.address, network)
        guard visit?.isAdmitted ?? true, isCostly else { return try fields(visit) }
        return try fields(visit, count(.signIn, network))
    }

    /// Counts a request of a caller about the own account, which hashes a password.
    /// - Throws: 429 `rate_limited`.
    func countCostlyCall(_ claimant: Claimant, _ request: HTTPRequest, _ context: APIContext) throws -> HTTPFields {
        let caller = claimant.caller.flatMap { count(.caller, $0) }
        guard caller?.isAdmitted ?? true else { return try fields(caller) }
        return try fields(caller, count(.signIn, network(of: request, context)))
    }

    /// Counts a request of a caller, in an organization if the call concerns one.
    /// - Throws: 429 `rate_limited`.
    func countCall(_ claimant: Claimant) throws -> HTTPFields {
        let caller = claimant.caller.flatMap { count(.caller, $0) }
        // A refused request of one caller must not use up the limit of the others.
        guard caller?.isAdmitted ?? true, case .organization(let organization) = claimant.owner else {
            return try fields(caller)
        }
        return try fields(caller, count(.organization, organization.uuid))
    }

    /// Counts evaluations of URLs, if the operator limits those of the organization.
    /// - Throws: 429 `rate_limited`.
    func countEvaluations(_ number: Int, of organization: Organization) throws -> HTTPFields {
        guard let quota = organization.quotas.evaluations else { return [:] }
        return try fields(limiter.count(.evaluation, organization.id.uuid, by: number, quota: quota))
    }

    private func count(_ policy: RatePolicy, _ subject: UUID) -> RateLimiter.Standing? {
        limiter.count(policy, subject)
    }

    private func fields(_ first: RateLimiter.Standing?, _ second: RateLimiter.Standing? = nil) throws -> HTTPFields {
        var (limit, policy) = ("", "")
        for standing in [first, second] {
            guard let standing else { continue }
            let comma = limit.isEmpty ? "" : ", "
            limit += "\(comma)\"\(standing.policy.rawValue)\";r=\(standing.left);t=\(standing.seconds)"
            policy += "\(comma)\"\(standing.policy.rawValue)\";q=\(standing.quota);w=\(RateLimiter.period)"
        }
        guard !limit.isEmpty else { return [:] }
        let fields: HTTPFields = [.rateLimit: limit, .rateLimitPolicy: policy]
        guard let refused = [first, second].compactMap({ $0 }).first(where: { !$0.isAdmitted }) else { return fields }
        refusals[refused.policy]?.increment()
        throw APIError.rateLimited(refused).with(fields)
    }
}

extension APIError {
    fileprivate static func rateLimited(_ standing: RateLimiter.Standing) -> APIError {
        let whose =
            switch standing.policy {
            case .caller: "You have"
            case .organization: "Your organization has"
            case .address, .signIn: "Your address has"
            case .evaluation: "Your organization has"
            }
        guard standing.policy != .evaluation else {
            return APIError(
                .tooManyRequests, "rate_limited",
                "Your organization may evaluate \(standing.quota) URLs in a minute, and \(standing.left) are left. Try "
                    + "again in \(standing.seconds) seconds, or with fewer URLs."
            ).with(.retryAfter, "\(standing.seconds)")
        }
        let requests = standing.policy == .signIn ? "requests for a sign-in, a password or a mail" : "requests"
        return APIError(
            .tooManyRequests, "rate_limited",
            "\(whose) sent \(standing.quota) \(requests) in this minute, which is the limit. Try again in "
                + "\(standing.seconds) \(standing.seconds == 1 ? "second" : "seconds")."
        ).with(.retryAfter, "\(standing.seconds)")
    }

    /// Returns the same problem with additional header fields.
    func with(_ fields: HTTPFields) -> APIError {
        var copy = self
        for field in fields { copy.fields[field.name] = field.value }
        return copy
    }
}

extension Answer {
    /// Returns the same response with additional header fields. Several rate limits are listed together.
    func with(_ more: HTTPFields) -> Answer {
        var copy = self
        for field in more {
            let isList = field.name == .rateLimit || field.name == .rateLimitPolicy
            let before = isList ? copy.fields[field.name].map { $0 + ", " } ?? "" : ""
            copy.fields[field.name] = before + field.value
        }
        return copy
    }
}
