import Hummingbird
import NIOCore
public import Publishing
public import Storage

/// The JSON API and the dashboard's pages: what they work with, and their routes.
public struct API: Sendable {
    /// What differs from installation to installation.
    public struct Settings: Sendable {
        /// The installation runs on a database of its own on this machine: reserved names need no proof.
        public var isLocal: Bool
        /// Waymark's version.
        public var version: String
        /// Where the edge listens, for people to try; `nil` when it is not known.
        public var edgeURL: String?
        /// Where the world reaches the edge, for snippets; `nil` when it is not known.
        public var edgePublicURL: EdgeURL?
        /// Where people reach the dashboard; `nil` where that is not set: then any host is taken.
        public var publicOrigin: Origin?
        /// The folder with the dashboard's pages.
        public var publicDirectory: String
        /// The folder with the API's contract.
        public var contractDirectory: String
        /// How much time the evaluations of one call may take of a processor.
        public var evaluationBudget: Duration
        /// So many requests are worked on at once: no more than the pool has connections.
        public var workPlaces: Int

        /// Settings.
        public init(
            isLocal: Bool, version: String, edgeURL: String?, edgePublicURL: EdgeURL? = nil,
            publicOrigin: Origin? = nil, publicDirectory: String, contractDirectory: String,
            evaluationBudget: Duration = .milliseconds(250), workPlaces: Int = 8
        ) {
            self.isLocal = isLocal
            self.version = version
            self.edgeURL = edgeURL
            self.edgePublicURL = edgePublicURL
            self.publicOrigin = publicOrigin
            self.publicDirectory = publicDirectory
            self.contractDirectory = contractDirectory
            self.evaluationBudget = evaluationBudget
            self.workPlaces = workPlaces
        }
    }

    let store: Store
    let publisher: Publisher
    let feed: SnapshotFeed
    let events: EventFeed
    let settings: Settings
    let authentication: Authentication
    let pages: StaticPages
    let contract: StaticPages.Page
    let jobsDoorbell: Doorbell
    /// Tells which of the publications that are waited for are pending.
    let endings: Watch<ID<Organization>, ID<Publication>, Set<ID<Publication>>>
    let places: WorkPlaces
    let threads: WorkThreads
    let bodies = BodyBudget()

    /// An API over a store.
    ///
    /// - Parameters:
    ///   - feed: what consumers are told.
    ///   - events: what those are told who follow an organization's events.
    ///   - consumers: the credentials that consumers of the snapshot may show.
    ///   - jobsDoorbell: rung when a publication was made.
    ///   - liveDoorbell: rings when something has gone live.
    /// - Throws: when the public folder or the contract cannot be read.
    public init(
        store: Store, feed: SnapshotFeed, events: EventFeed, consumers: ConsumerCredentials, jobsDoorbell: Doorbell,
        liveDoorbell: Doorbell, settings: Settings
    ) throws {
        self.store = store
        publisher = Publisher(store: store)
        self.feed = feed
        self.events = events
        self.settings = settings
        self.jobsDoorbell = jobsDoorbell
        endings = Watch(doorbell: liveDoorbell) { organization, ids in
            try await store.read(as: organization, .pending(among: ids))
        }
        places = WorkPlaces(count: settings.workPlaces)
        threads = WorkThreads(count: settings.workPlaces)
        pages = try StaticPages(directory: settings.publicDirectory)
        let contract = try Contract(directory: settings.contractDirectory)
        self.contract = StaticPages.Page(bytes: contract.document.bytes(), type: "application/json")
        authentication = Authentication(
            store: store, cookie: SessionCookie(isSecure: settings.publicOrigin?.isSecure ?? false),
            consumers: consumers, publicOrigin: settings.publicOrigin)
    }
}
