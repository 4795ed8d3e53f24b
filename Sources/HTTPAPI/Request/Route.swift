public import HTTPTypes
import Storage

/// A route of the API: its handler, the required right, its query parameters and its body limit.
public struct Route: Sendable {
    /// The right that a route requires, and the function that handles its calls.
    enum Handler: Sendable {
        /// No right and no slot. For responses about the process itself, which cost very little.
        case probe(@Sendable (Call) async throws -> Answer)
        /// No right.
        case anyone(@Sendable (Call) async throws -> Answer)
        /// No right, for signing in. Sign-ins have their own share of the slots.
        case arrival(@Sendable (Call) async throws -> Answer)
        /// No right, for exchanging tokens of CI systems. Exchanges have their own share of the slots.
        case exchange(@Sendable (Call) async throws -> Answer)
        /// A signed-in user or a token.
        case caller(@Sendable (Call, Caller) async throws -> Answer)
        /// A caller with at least this role in the call's organization.
        case member(Role, @Sendable (Call, Member) async throws -> Answer)
        /// A consumer of the snapshot, with a consumer's credential.
        case consumer(@Sendable (Call) async throws -> Answer)
    }

    /// What a change concerns. A limited role (``Grant``) can only make changes of the domains that it reaches.
    enum Reach {
        /// The domain in the path.
        case domain
        /// The entire organization. A limited role cannot make the change.
        case organization
        /// Domains that the handler knows. It calls a `require(_:toReach:)`.
        case handler
    }

    /// The query parameters that select a page of a list.
    static let page = ["limit", "cursor"]

    /// The query parameters that select a page of a list, and ask for the number of all its items.
    static let countedPage = page + ["total"]

    /// The query parameter to try a change out.
    static let dryRun = "dryRun"

    /// The query parameter with the reason for a change.
    static let reason = "reason"

    /// The default body limit, in bytes.
    static let usualBodyLimit = 1 << 20

    /// The method.
    public let method: HTTPRequest.Method
    /// The path, with parameters in braces.
    public let path: String
    /// The accepted query parameters. Others are rejected.
    public let query: [String]
    /// The query parameters that may appear more than once.
    let repeatable: Set<String>
    let bodyLimit: Int
    /// The maximum cost of a request.
    public let budget: RouteBudget
    /// True if the handler only reads something by its key. It then has separate slots. It does not use the work
    /// threads, because switching to them and back takes longer than the work.
    let isBrief: Bool
    /// True if only a signed-in person can use the route, not a token.
    let needsSession: Bool
    /// True if the user must have signed in, or confirmed the session, within the last
    /// ``Session/confirmationLifetime`` seconds. An open browser alone is then not enough.
    let needsConfirmation: Bool
    /// True if a session that a provider opened can use the route, although it is about the user's own account.
    let isForProviderSessions: Bool
    /// False if the handler never changes anything, or only counts proofs of who the user is. Such a request cannot be
    /// tried out, because then a wrong proof would not count.
    let mayChange: Bool
    /// True if a request with `dryRun=true` only tries the change out (``DryRun``).
    let canTryOut: Bool
    /// True if the route hashes a password or sends a mail that a visitor asks for. The client's address then has a low
    /// limit (``RatePolicy/signIn``), so that it cannot use up what all need.
    let isCostly: Bool
    /// What a change concerns, so that a limited role can be checked.
    let reach: Reach
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, query: [String] = [], repeatable: Set<String> = [],
        bodyLimit: Int = Route.usualBodyLimit, budget: RouteBudget = .usual, isBrief: Bool = false,
        needsSession: Bool = false, needsConfirmation: Bool = false, isForProviderSessions: Bool = false,
        mayChange: Bool = true, isCostly: Bool = false, reach: Reach? = nil, _ handler: Handler
    ) {
        self.method = method
        self.path = path
        let changes = mayChange && method != .get
        let takesReason = changes && Self.isOfMember(handler)
        canTryOut = changes && (takesReason || Self.isOfCaller(handler)) && !query.contains(Self.dryRun)
        self.query = query + (canTryOut ? [Self.dryRun] : []) + (takesReason ? [Self.reason] : [])
        self.repeatable = repeatable
        self.bodyLimit = bodyLimit
        self.budget = budget
        self.isBrief = isBrief
        self.needsSession = needsSession || needsConfirmation
        self.needsConfirmation = needsConfirmation
        self.isForProviderSessions = isForProviderSessions
        self.mayChange = changes
        self.isCostly = isCostly
        self.reach = reach ?? (path.contains("{host}") ? .domain : .organization)
        self.handler = handler
    }

    private static func isOfMember(_ handler: Handler) -> Bool { if case .member = handler { true } else { false } }

    private static func isOfCaller(_ handler: Handler) -> Bool { if case .caller = handler { true } else { false } }

    /// The required right as text: `anyone`, `caller`, `consumer`, or the lowest role.
    public var right: String {
        switch handler {
        case .probe, .anyone, .arrival, .exchange: "anyone"
        case .caller: "caller"
        case .member(let role, _): role.rawValue
        case .consumer: "consumer"
        }
    }

    /// True if the handler is a ``Handler/probe(_:)``.
    var isProbe: Bool {
        if case .probe = handler { true } else { false }
    }

    /// Returns true if a path belongs to this route. `segments` are those of the path, percent-encoded, as it was sent.
    func matches(_ segments: [Substring]) -> Bool {
        let pattern = Self.segments(of: path)
        return pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { ($0.hasPrefix("{") && !$1.isEmpty) || $0 == $1 }
    }

    /// The segments of a path, the empty ones included.
    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
