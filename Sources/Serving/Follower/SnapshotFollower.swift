public import Logging
internal import NIOConcurrencyHelpers
public import ServiceLifecycle
public import Snapshot

/// Keeps a consumer at the newest snapshot that can be trusted.
///
/// For ever: ask the source, verify the signature, never go back, get the blobs that are missing, verify each, write all of
/// it to the disk, and only then hand it to the consumer. On any doubt the old entry stays, a counter rises, and the log
/// says so once. It starts from the disk, before any network, and never ends by itself.
public actor SnapshotFollower: Service {
    /// How a follower goes about it.
    public struct Configuration: Sendable {
        /// How long the source may take to say that nothing has changed.
        public var wait = Duration.seconds(20)
        /// The shortest time between two questions that brought nothing, for sources that do not wait.
        public var pause = Duration.seconds(1)
        /// The first wait after a failure; it doubles.
        public var firstRetry = Duration.milliseconds(250)
        /// The longest.
        public var longestRetry = Duration.seconds(5)
        /// Seconds for which a blob stays after nobody wants it any more.
        public var garbageGrace: Int64 = 3600
        /// The time between two looks for such blobs: each reads the names of all.
        public var collectionInterval = Duration.seconds(300)
        /// Whether to ask the source once more just before the consumer changes anything, for consumers whose changes
        /// cannot be told from those of a process that slept for an hour.
        public var confirmsBeforeApplying = false

        /// 20 s, 1 s, 0.25 s to 5 s, an hour, five minutes.
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
    /// The manifest accepted last.
    var accepted: Manifest?
    /// The SHA-256 of its signed bytes.
    var acceptedHash: ContentHash?
    /// The tag to ask with.
    var tag: String?
    /// What the consumer has.
    var serving: ServedSnapshot?
    /// The files of `serving` that have been found whole, or fetched.
    var files: Set<ManifestFile> = []
    /// Blobs that could not be got, and when to try again.
    var retries: [ManifestFile: BlobRetry] = [:]
    var garbage = BlobGarbage()
    /// Manifests in a row that were overtaken by a newer one before they were applied.
    var overtakings = 0
    /// After so many, one is applied although a newer one is there: better late than never.
    static let mostOvertakings = 3
    /// Whether everything in the manifest accepted last is served.
    var isWhole = false
    let began = ContinuousClock.now
    var lastCollection = ContinuousClock.now
    private var starting: Task<Void, Never>?

    /// A follower. It does nothing before `start` or `run`.
    ///
    /// - Parameters:
    ///   - directory: where the last known good is kept.
    ///   - trusted: the keys of which one must have signed a manifest.
    ///   - consumer: gets every snapshot that has been settled on.
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

    /// How far it has got.
    public nonisolated var status: FollowerStatus { published.withLockedValue { $0 } }

    /// Hands the last known good on the disk to the consumer, without asking anybody. Done once, however often called.
    public func start() async {
        let starting = self.starting ?? Task { await loadFromDisk() }
        self.starting = starting
        await starting.value
    }

    /// Reads the disk once more where another process has changed it since `start`. For before it runs: once it follows,
    /// it has what is newer.
    public func readAgain() async {
        await start()
        if await !isOnDisk() { await loadFromDisk() }
    }

    /// From now on, trusts these keys in place of those before.
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
                await sleep(backoff.wait(afterFailures: failures))
            }
        }
    }

    /// One question to the source and what follows from the answer; whether there was anything new.
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

    /// Everything offered has been taken over.
    func settled() {
        doubts.settle()
        update { $0.trouble = nil }
    }

    func update(_ change: (inout FollowerStatus) -> Void) {
        published.withLockedValue { change(&$0) }
    }

    private func sleep(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
