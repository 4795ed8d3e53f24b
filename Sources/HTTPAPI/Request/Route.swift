public import HTTPTypes
import Storage

/// A route of the API: its handler, who may use it, its query parameters and its body limit.
public struct Route: Sendable {
    /// Who may use the route, and the function that answers.
    enum Handler: Sendable {
        /// Anyone, without waiting for a place: answers about the process itself, which cost nothing.
        case probe(@Sendable (Call) async throws -> Answer)
        /// Anyone.
        case anyone(@Sendable (Call) async throws -> Answer)
        /// Anyone who signs in. Sign-ins have a share of their own.
        case arrival(@Sendable (Call) async throws -> Answer)
        /// A signed-in user or a token.
        case caller(@Sendable (Call, Caller) async throws -> Answer)
        /// A caller with at least this role in the organization that the call is about.
        case member(Role, @Sendable (Call, Member) async throws -> Answer)
        /// A consumer of the snapshot, with the operator's credential.
        case consumer(@Sendable (Call) async throws -> Answer)
    }

    /// The query parameters of a list with pages.
    static let page = ["limit", "cursor"]

    /// The query parameters that may appear more than once.
    static let lists: Set<String> = ["kind", "os"]

    /// The default body limit, in bytes.
    static let usualBodyLimit = 1 << 20

    /// The method.
    public let method: HTTPRequest.Method
    /// The path, with parameters in braces.
    public let path: String
    /// The names of the accepted query parameters; others are refused.
    public let query: [String]
    let bodyLimit: Int
    /// The most that a request may cost.
    public let budget: RouteBudget
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, query: [String] = [], bodyLimit: Int = Route.usualBodyLimit,
        budget: RouteBudget = .usual, _ handler: Handler
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.bodyLimit = bodyLimit
        self.budget = budget
        self.handler = handler
    }

    /// Who may use the route: `anyone`, `caller`, `consumer`, or the lowest role.
    public var right: String {
        switch handler {
        case .probe, .anyone, .arrival: "anyone"
        case .caller: "caller"
        case .member(let role, _): role.rawValue
        case .consumer: "consumer"
        }
    }

    /// Whether the handler is a ``Handler/probe(_:)``.
    var isProbe: Bool {
        if case .probe = handler { true } else { false }
    }

    /// Whether a path, percent-encoded as sent, belongs to this route.
    func matches(_ path: String) -> Bool {
        let pattern = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return pattern.count == parts.count
            && zip(pattern, parts).allSatisfy { ($0.hasPrefix("{") && !$1.isEmpty) || $0 == $1 }
    }
}
