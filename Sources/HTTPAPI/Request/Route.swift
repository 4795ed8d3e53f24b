public import HTTPTypes
import Storage

/// A route of the API: what it answers, who may ask, which query parameters and how large a body it takes.
public struct Route: Sendable {
    /// Who may ask, and the function that answers.
    enum Handler: Sendable {
        /// Everybody, at once: what tells of the process itself, and costs nothing.
        case probe(@Sendable (Call) async throws -> Answer)
        /// Everybody.
        case anyone(@Sendable (Call) async throws -> Answer)
        /// Everybody, to sign in: in a share of their own.
        case arrival(@Sendable (Call) async throws -> Answer)
        /// Whoever has signed in or shows a token.
        case caller(@Sendable (Call, Caller) async throws -> Answer)
        /// Who has at least this role in the organization that the call is about.
        case member(Role, @Sendable (Call, Member) async throws -> Answer)
        /// A consumer of the snapshot, with the operator's credential.
        case consumer(@Sendable (Call) async throws -> Answer)
    }

    /// The query parameters of a list that is read by pages.
    static let page = ["limit", "cursor"]

    /// The query parameters that may appear more than once, a value each.
    static let lists: Set<String> = ["kind", "os"]

    /// Bytes of a body where nothing else is said.
    static let usualBodyLimit = 1 << 20

    /// The method.
    public let method: HTTPRequest.Method
    /// The path, with parameters in braces.
    public let path: String
    /// The names of the query parameters that it takes; any other is refused.
    public let query: [String]
    let bodyLimit: Int
    /// What a request may cost.
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

    /// Who may ask, in a word: `anyone`, `caller`, `consumer`, or the lowest role.
    public var right: String {
        switch handler {
        case .probe, .anyone, .arrival: "anyone"
        case .caller: "caller"
        case .member(let role, _): role.rawValue
        case .consumer: "consumer"
        }
    }

    /// Whether it tells of the process itself, and waits for nothing.
    var isProbe: Bool {
        if case .probe = handler { true } else { false }
    }

    /// Whether a path, percent-encoded as sent, is one of this route's.
    func matches(_ path: String) -> Bool {
        let pattern = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return pattern.count == parts.count
            && zip(pattern, parts).allSatisfy { ($0.hasPrefix("{") && !$1.isEmpty) || $0 == $1 }
    }
}
