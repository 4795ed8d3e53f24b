public import Logging
internal import NIOConcurrencyHelpers
public import ServiceLifecycle
public import Snapshot
internal import Timing

/// Keeps a consumer up to date with the newest trusted snapshot.
///
/// In a loop, it requests the manifest, verifies the signature, and checks that no activation is lower than before.
/// Then it fetches and verifies the missing blobs, writes everything to the disk, and passes it to the consumer. If a
/// check of a host or file fails, the host keeps its old entry, a counter increases, and the problem is logged once. At
/// its start, it loads the snapshot from the disk, without the network.
public actor SnapshotFollower: Service {
    /// The settings of a follower.
    public struct Configuration: Sendable {
        /// The maximum time that the source waits for a change before it responds.
        public var wait = Duration.seconds(20)
        /// The minimum time between two requests while nothing changes. It limits requests to sources that respond
        /// immediately.
        public var pause = Duration.seconds(1)
        /// The pause after the first failure. It doubles with each further failure.
        public var firstRetry = Duration.milliseconds(250)
        /// The maximum pause after a failure.
        public var longestRetry = Duration.seconds(5)
        /// The time in seconds that an unwanted blob stays on the disk.
        public var garbageGrace: Int64 = 3600
        /// The interval between searches for unwanted blobs. Each search reads the names of all blobs.
        public var collectionInterval = Duration.seconds(300)
        /// True to ask the source again just before the consumer changes anything. Use it if the consumer must not
        /// apply an old manifest after its process was suspended.
        public var confirmsBeforeApplying = false

        /// Creates the default settings: 20 s, 1 s, 0.25 s to 5 s, an hour, five minutes.
        public init() {}
    }

    let configuration: Configuration
    let source: any SnapshotSource
    let directory: SnapshotDirectory
    private(set) var trusted: [VerificationKey]
    let consumer: any SnapshotConsumer
    let logger: Logger
    let backoff: Backoff
    private nonisolated let published = NIOLockedValueBox(FollowerStatus())

    var rejections: RejectionLog
    /// The last accepted manifest.
    var accepted: Manifest?
    /// The SHA-256 of the signed bytes of `accepted`.
    var acceptedHash: ContentHash?
    /// The tag for the next request.
    var tag: String?
    /// The snapshot that the consumer uses.
    var serving: ServedSnapshot?
    /// The files of `serving` that are on the disk.
    var files: Set<ManifestFile> = []
    /// Blobs that could not be fetched, and their next attempts.
    var retries: [ManifestFile: BlobRetry] = [:]
    var garbage = BlobGarbage()
    /// The number of manifests in a row that were skipped because a newer one existed.
    var skippedManifests = 0
    /// After this many skipped manifests, the next one is applied in any case, so that the consumer is updated
    /// eventually.
    static let maximumSkippedManifests = 3
    /// True if everything in the last accepted manifest is served.
    var isWhole = false
    let began = ContinuousClock.now
    var lastCollection = ContinuousClock.now
    private var starting: Task<Void, Never>?

    /// Creates a follower. It does nothing before `start` or `run`.
    ///
    /// - Parameters:
    ///   - source: Where manifests and blobs come from.
    ///   - directory: Where they are kept.
    ///   - trusted: The trusted keys. One of them must have signed the manifest.
    ///   - consumer: The consumer. It gets every accepted snapshot.
    public init(
        configuration: Configuration = Configuration(), source: any SnapshotSource, directory: SnapshotDirectory,
        trusted: [VerificationKey], consumer: any SnapshotConsumer, logger: Logger
    ) {
        self.configuration = configuration
        self.source = source
        self.directory = directory
        self.trusted = trusted
        self.consumer = consumer
        self.logger = logger
        backoff = Backoff(first: configuration.firstRetry, longest: configuration.longestRetry)
        rejections = RejectionLog(logger: logger)
    }

    /// The follower's progress.
    public nonisolated var status: FollowerStatus { published.withLockedValue { $0 } }

    /// Passes the snapshot on the disk to the consumer, without using the source. Further calls do nothing.
    public func start() async {
        let starting = self.starting ?? Task { await loadFromDisk() }
        self.starting = starting
        await starting.value
    }

    /// Loads the snapshot again if another process has changed the disk since `start`. Call it only before `run`,
    /// because a running follower has newer data.
    public func readAgain() async {
        await start()
        if await !isOnDisk() { await loadFromDisk() }
    }

    /// Replaces the trusted keys.
    public func trust(_ keys: [VerificationKey]) { trusted = keys }

    /// Follows the source until the service group shuts down or the task is cancelled.
    public func run() async throws {
        await start()
        await cancelWhenGracefulShutdown { await self.follow() }
        await source.close()
    }

    private func follow() async {
        var failures = 0
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do throws(SnapshotRejection) {
                let isNew = try await step()
                failures = 0
                let elapsed = ContinuousClock.now - began
                if !isNew, elapsed < configuration.pause { await sleep(configuration.pause - elapsed) }
            } catch {
                guard !Task.isCancelled else { return }
                failures += 1
                note(error)
                await sleep(backoff.pause(afterFailures: failures))
            }
        }
    }

    /// Sends one request to the source and processes the response. Returns true if the manifest changed.
    private func step() async throws(SnapshotRejection) -> Bool {
        let answer: ManifestAnswer
        do throws(SnapshotSourceError) {
            answer = try await source.manifest(unless: tag, wait: min(configuration.wait, timeToRetry))
        } catch {
            throw .source(error)
        }
        update { $0.contacts += 1 }
        guard answer != .notModified else {
            guard let accepted, isRetryDue else {
                if isWhole { noteInstalled() }
                await collectGarbageIfDue()
                return false
            }
            try await install(accepted, tag: nil)
            return false
        }
        try await take(answer)
        return true
    }

    func note(_ rejection: SnapshotRejection) {
        rejections.note(rejection)
        update { $0.trouble = rejection.summary }
    }

    /// Records that the whole snapshot is served, so no problem is left.
    func noteInstalled() {
        rejections.reset()
        update { $0.trouble = nil }
    }

    func update(_ change: (inout FollowerStatus) -> Void) {
        published.withLockedValue { change(&$0) }
    }

    private func sleep(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
