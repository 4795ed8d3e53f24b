import Hummingbird
import NIOCore
public import Publishing
public import Storage
import StrictJSON

/// The JSON API and the dashboard's pages.
public struct API: Sendable {
    /// The settings of an installation.
    public struct Settings: Sendable {
        /// Whether the installation runs on a private database. Reserved names are then verified without proof.
        public var isLocal: Bool
        /// Waymark's version.
        public var version: String
        /// The edge's address, shown to users who try things out; `nil` if unknown.
        public var edgeURL: String?
        /// The edge's public address, for snippets; `nil` if unknown.
        public var edgePublicURL: EdgeURL?
        /// The dashboard's public address; `nil` if it is not set: then the API answers under any host.
        public var publicOrigin: Origin?
        /// The folder with the dashboard's pages.
        public var publicDirectory: String
        /// The folder with the API's contract.
        public var contractDirectory: String
        /// The most processor time for the evaluations of one call.
        public var evaluationBudget: Duration
        /// How many requests are processed at the same time: at most the number of the pool's connections.
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
    /// Reports which of the awaited publications are still pending.
    let endings: Watch<ID<Organization>, ID<Publication>, Set<ID<Publication>>>
    let places: WorkPlaces
    let threads: WorkThreads
    let bodies = BodyBudget()

    /// An API over a store.
    ///
    /// - Parameters:
    ///   - feed: the snapshot, for consumers.
    ///   - events: the events of organizations, for followers.
    ///   - consumers: the credentials accepted from consumers of the snapshot.
    ///   - jobsDoorbell: the API rings it when a job was created.
    ///   - liveDoorbell: rings when a publication went live.
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
