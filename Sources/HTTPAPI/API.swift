import Fetching
import Hummingbird
public import Logging
import NIOCore
import OpenIDConnect
import PasswordHashing
public import Publishing
public import Storage
import StrictJSON

/// The JSON API and the dashboard's pages.
public struct API: Sendable {
    /// The settings of an installation.
    public struct Settings: Sendable {
        /// True if the installation uses a private database. It then verifies reserved names automatically.
        public var isLocal: Bool
        /// Waymark's version.
        public var version: String
        /// The address at which users who try out Waymark reach the edge, or `nil` if unknown.
        public var edgeURL: String?
        /// The edge's public address for snippets, or `nil` if unknown.
        public var edgePublicURL: EdgeURL?
        /// The dashboard's public address, or `nil` if it is not set. If `nil`, the API accepts any host.
        public var publicOrigin: Origin?
        /// The folder with the dashboard's pages.
        public var publicDirectory: String
        /// The folder with the API's contract.
        public var contractDirectory: String
        /// The processor time that the evaluations of one call can use.
        public var evaluationBudget: Duration
        /// The maximum number of requests that are processed at the same time. It must not exceed the number of
        /// connections in the pool.
        public var concurrentRequests: Int
        /// True if trusts accept issuers at http://localhost and http://127.0.0.1.
        public var allowsLoopbackIssuers: Bool
        /// True if the installation has a mail server.
        public var sendsMail: Bool
        /// Who may create organizations.
        public var organizationCreation: OrganizationCreation
        /// The other origins whose pages may use the API, with a token.
        public var allowedOrigins: Set<Origin>

        /// The rate limits.
        public var rates: RateLimiter.Quotas
        /// The address of a client as text, and its network, 16 bytes, from the peer's address and the field
        /// `X-Forwarded-For`.
        public var client: @Sendable (_ peer: String, _ forwardedFor: String?) -> (address: String, network: [UInt8])

        /// Creates settings.
        public init(
            isLocal: Bool, version: String, edgeURL: String?, edgePublicURL: EdgeURL? = nil,
            publicOrigin: Origin? = nil, publicDirectory: String, contractDirectory: String,
            evaluationBudget: Duration = .milliseconds(250), concurrentRequests: Int = 8,
            allowsLoopbackIssuers: Bool = false, sendsMail: Bool = false,
            organizationCreation: OrganizationCreation = .nobody, allowedOrigins: Set<Origin> = [],
            rates: RateLimiter.Quotas = RateLimiter.Quotas(),
            client: @escaping @Sendable (String, String?) -> (address: String, network: [UInt8]) = { peer, _ in
                (peer, [])
            }
        ) {
            self.isLocal = isLocal
            self.version = version
            self.edgeURL = edgeURL
            self.edgePublicURL = edgePublicURL
            self.publicOrigin = publicOrigin
            self.publicDirectory = publicDirectory
            self.contractDirectory = contractDirectory
            self.evaluationBudget = evaluationBudget
            self.concurrentRequests = concurrentRequests
            self.allowsLoopbackIssuers = allowsLoopbackIssuers
            self.sendsMail = sendsMail
            self.organizationCreation = organizationCreation
            self.allowedOrigins = allowedOrigins
            self.rates = rates
            self.client = client
        }
    }

    /// The number of slots for brief routes per slot for the other routes. It can be larger, because a brief request
    /// holds no connection: its read is sent in a batch with others.
    private static let briefRequestsOfSlot = 8

    let store: Store
    let publisher: Publisher
    let feed: SnapshotFeed
    let events: EventFeed
    let sealer: AuditSealer
    let settings: Settings
    let authentication: Authentication
    let pages: StaticPages
    let contract: StaticPages.Page
    let jobsDoorbell: Doorbell
    /// Waits until publications have ended. Its query returns those that are still pending.
    let endings: Watch<ID<Organization>, ID<Publication>, Set<ID<Publication>>>
    let concurrency: ConcurrencyLimit
    /// The slots for brief routes.
    let briefConcurrency: ConcurrencyLimit
    let threads: WorkThreads
    let bodies = BodyBudget()
    let passwords = PasswordHasher()
    /// Asks the issuers that organizations trust.
    let client: GuardedClient
    /// The keys of the issuers that organizations trust.
    let issuers: IssuerKeys
    let rates: RateLimiting

    /// Creates an API for a store.
    ///
    /// - Parameters:
    ///   - feed: The snapshot, for consumers.
    ///   - events: The events of organizations, for clients that follow them.
    ///   - sealer: Seals the audit trail before it is exported.
    ///   - consumers: The accepted credentials of snapshot consumers.
    ///   - callers: Caches callers while it receives the events of a listener. Without these events, each call looks up
    ///     its caller.
    ///   - jobsDoorbell: The API rings it when it has created a job.
    ///   - liveDoorbell: Rings when a publication has gone live.
    /// - Throws: An error if the public folder, the contract or the system's certificates cannot be read.
    public init(
        store: Store, feed: SnapshotFeed, events: EventFeed, sealer: AuditSealer, consumers: ConsumerCredentials,
        callers: CallerMemory = CallerMemory(), jobsDoorbell: Doorbell, liveDoorbell: Doorbell, settings: Settings
    ) throws {
        self.store = store
        publisher = Publisher(store: store)
        self.feed = feed
        self.events = events
        self.sealer = sealer
        self.settings = settings
        self.jobsDoorbell = jobsDoorbell
        endings = Watch(doorbell: liveDoorbell) { organization, ids in
            try await store.read(as: organization, .pending(among: ids))
        }
        concurrency = ConcurrencyLimit(count: settings.concurrentRequests)
        briefConcurrency = ConcurrencyLimit(
            count: settings.concurrentRequests * Self.briefRequestsOfSlot, areShown: false)
        threads = WorkThreads(count: settings.concurrentRequests)
        client = try GuardedClient(allowsLoopback: settings.allowsLoopbackIssuers)
        issuers = IssuerKeys(client: client)
        rates = RateLimiting(RateLimiter(settings.rates)) { [client = settings.client] in client($0, $1).network }
        let contract = try Contract(directory: settings.contractDirectory)
        pages = try StaticPages(directory: settings.publicDirectory, rights: contract.rights)
        self.contract = StaticPages.Page(bytes: contract.document.bytes(), type: "application/json")
        authentication = Authentication(
            store: store, callers: callers, cookie: SessionCookie(isSecure: settings.publicOrigin?.isSecure ?? false),
            consumers: consumers, publicOrigin: settings.publicOrigin)
    }
    /// The service that exchanges the counts of the rate limits with other API processes.
    public func rateExchange(logger: Logger) -> RateExchange {
        RateExchange(store: store, limiter: rates.limiter, logger: logger)
    }
}
