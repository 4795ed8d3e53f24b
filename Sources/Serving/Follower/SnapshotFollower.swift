public import Logging
internal import NIOConcurrencyHelpers
public import ServiceLifecycle
public import Snapshot
internal import Timing

/// Keeps a consumer at the newest snapshot that can be trusted.
///
/// It repeats these steps: ask the source, verify the signature, check that nothing goes back, fetch the missing blobs,
/// verify each, write everything to the disk, and only then pass it to the consumer. On any doubt the old entry stays,
/// a counter rises, and the log reports it once. It starts from the disk, without the network, and runs until it is
/// stopped.
public actor SnapshotFollower: Service {
    /// The settings of a follower.
    public struct Configuration: Sendable {
        /// The time after which the source must say that nothing has changed.
        public var wait = Duration.seconds(20)
        /// The minimum time between two requests without news, for sources that do not wait.
        public var pause = Duration.seconds(1)
        /// The wait after the first failure; it doubles with each further one.
        public var firstRetry = Duration.milliseconds(250)
        /// The maximum wait after a failure.
        public var longestRetry = Duration.seconds(5)
        /// The number of seconds for which an unwanted blob is kept.
        public var garbageGrace: Int64 = 3600
        /// The time between two searches for unwanted blobs. Each reads the names of all blobs.
        public var collectionInterval = Duration.seconds(300)
        /// Whether to ask the source again just before the consumer changes anything. For consumers whose changes could
        /// come from a process that was asleep for an hour.
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

    var doubts: DoubtLog
    /// The last accepted manifest.
    var accepted: Manifest?
    /// The SHA-256 of its signed bytes.
    var acceptedHash: ContentHash?
    /// The tag for the next request.
    var tag: String?
    /// The snapshot that the consumer uses.
    var serving: ServedSnapshot?
    /// The files of `serving` that were found whole or fetched.
    var files: Set<ManifestFile> = []
    /// Blobs that could not be fetched, and when to try again.
    var retries: [ManifestFile: BlobRetry] = [:]
    var garbage = BlobGarbage()
    /// The number of manifests in a row for which there was a newer one before they were applied.
    var overtakings = 0
    /// After this number, a manifest is applied although there is a newer one: better late than never.
    static let mostOvertakings = 3
    /// Whether everything in the last accepted manifest is served.
    var isWhole = false
    let began = ContinuousClock.now
    var lastCollection = ContinuousClock.now
    private var starting: Task<Void, Never>?

    /// Creates a follower. It does nothing before `start` or `run`.
    ///
    /// - Parameters:
    ///   - directory: the directory for the last good snapshot.
    ///   - trusted: the trusted keys, one of which must have signed a manifest.
    ///   - consumer: the consumer, which gets every accepted snapshot.
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
        doubts = DoubtLog(logger: logger)
    }

    /// The follower's progress.
    public nonisolated var status: FollowerStatus { published.withLockedValue { $0 } }

    /// Passes the last good snapshot on the disk to the consumer, without the source. Further calls do nothing.
    public func start() async {
        let starting = self.starting ?? Task { await loadFromDisk() }
        self.starting = starting
        await starting.value
    }

    /// Reads the disk again if another process has changed it since `start`. Call it before `run`: a running follower
    /// has newer data.
    public func readAgain() async {
        await start()
        if await !isOnDisk() { await loadFromDisk() }
    }

    /// Replaces the trusted keys.
    public func trust(_ keys: [VerificationKey]) { trusted = keys }

    /// Follows until the service group shuts down or the task is cancelled.
    public func run() async throws {
        await start()
        await cancelWhenGracefulShutdown { await self.follow() }
        await source.close()
    }

    private func follow() async {
        var failures = 0
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do throws(SnapshotDoubt) {
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

    /// Asks the source once and processes the answer. Returns whether there was anything new.
    private func step() async throws(SnapshotDoubt) -> Bool {
        let answer: ManifestAnswer
        do throws(SnapshotSourceError) {
            answer = try await source.manifest(unless: tag, wait: min(configuration.wait, timeToRetry))
        } catch {
            throw .source(error)
        }
        update { $0.contacts += 1 }
        guard answer != .notModified else {
            guard let accepted, isRetryDue else {
                if isWhole { settled() }
                await collectGarbageIfDue()
                return false
            }
            try await settle(accepted, tag: nil)
            return false
        }
        try await take(answer)
        return true
    }

    func note(_ doubt: SnapshotDoubt) {
        doubts.note(doubt)
        update { $0.trouble = doubt.summary }
    }

    /// Notes that everything offered has been applied.
    func settled() {
        doubts.settle()
        update { $0.trouble = nil }
    }

    func update(_ change: (inout FollowerStatus) -> Void) {
        published.withLockedValue { change(&$0) }
    }

    private func sleep(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
