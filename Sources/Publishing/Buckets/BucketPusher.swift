public import Logging
import Metrics
import ObjectStore
import Postgres
public import ServiceLifecycle
public import Storage

/// Keeps a bucket at what is live: pushes what changes, and compares all of it again and again. Each bucket has a pusher
/// of its own, so that one which is broken or slow holds nothing else back; any number of workers may have one.
public struct BucketPusher: Service {
    /// How long a worker holds an object before another may take it.
    static let leaseSeconds = 20
    /// So many objects are looked after at once.
    static let width = 32
    /// So many requests are under way at once: one for each object, and one for the list.
    public static let connections = width + 1
    /// How long it waits before it looks for what no hint told of.
    static let pollInterval = Duration.seconds(1)
    /// How often it counts what is behind, at most.
    static let countInterval = Duration.seconds(5)
    /// The longest pause between two attempts at an object, in seconds, half as much more by chance.
    static let longestPause = 60.0

    let store: Store
    let target: PushedBucket
    let doorbell: Doorbell
    let logger: Logger
    /// How long a worker holds the list of a bucket before another may take it; renewed while it is at it.
    let listingLeaseSeconds: Int

    /// A pusher.
    ///
    /// - Parameters:
    ///   - doorbell: rings when something has gone live.
    ///   - listingLeaseSeconds: for how long nobody else lists the bucket when a worker dies that does.
    public init(
        store: Store, target: PushedBucket, doorbell: Doorbell, logger: Logger, listingLeaseSeconds: Int = 15
    ) {
        self.listingLeaseSeconds = listingLeaseSeconds
        self.store = store
        self.target = target
        self.doorbell = doorbell
        var logger = logger
        logger[metadataKey: "bucket"] = "\(target.name)"
        self.logger = logger
    }

    /// Works until the service is shut down. Errors are logged and never end it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            guard let sink = await open() else { return }
            await withTaskGroup { group in
                group.addTask { await push(to: sink) }
                group.addTask { await compare(sink) }
            }
        }
        await target.bucket.close()
    }

    /// `nil` when the service is shut down first.
    private func open() async -> Sink? {
        while !Task.isCancelled {
            let sink = await logged {
                try await store.write { [target] in try $0.openSink(target.name, at: target.address) }
            }
            if let sink { return sink }
            try? await Task.sleep(for: Self.pollInterval)
        }
        return nil
    }

    private func push(to sink: Sink) async {
        var countedAt: ContinuousClock.Instant?
        while !Task.isCancelled {
            let pause = await logged {
                try await store.write { try $0.queueChanges(of: sink) }
                let pause = try await pushOnce(to: sink)
                if countedAt.map({ ContinuousClock.now - $0 > Self.countInterval }) ?? true {
                    try await count(sink)
                    countedAt = .now
                }
                return pause
            }
            if pause != .zero { await doorbell.wait(atMost: pause ?? Self.pollInterval) }
        }
    }

    /// How long there is nothing to do.
    private func pushOnce(to sink: Sink) async throws -> Duration {
        let end = ContinuousClock.now + .seconds(Self.leaseSeconds)
        let objects = try await store.write {
            try $0.claimObjects(of: sink, atMost: Self.width, leaseSeconds: Self.leaseSeconds)
        }
        await withTaskGroup { group in
            for object in objects { group.addTask { await push(object, until: end) } }
        }
        guard objects.isEmpty else { return .zero }
        let due = try await store.read { try $0.nextObjectDue(of: sink) }
        return min(max(due ?? Self.pollInterval, .milliseconds(10)), Self.pollInterval)
    }

    private func count(_ sink: Sink) async throws {
        let counts = try await store.read { try $0.objectsBehind(of: sink) }
        Gauge(label: "waymark_bucket_objects_behind", dimensions: dimensions).record(counts.behind)
        Gauge(label: "waymark_bucket_objects_failing", dimensions: dimensions).record(counts.failing)
    }

    private func push(_ object: SinkObject, until end: ContinuousClock.Instant) async {
        let outcome = await outcome(of: object, until: end)
        Counter(label: "waymark_bucket_pushes_total", dimensions: dimensions + [("outcome", outcome)]).increment()
    }

    private func outcome(of object: SinkObject, until end: ContinuousClock.Instant) async -> String {
        let about: Logger.Metadata = ["host": "\(object.host)", "path": "\(object.path)"]
        do {
            let outcome = try await BucketPush(store: store, target: target, object: object, end: end).carryOut()
            if outcome == .repaired { logger.warning("An object that was changed is repaired.", metadata: about) }
            return outcome.rawValue
        } catch is SinkObjectLost {
            logger.info("An object is no longer this worker's.", metadata: about)
            return "lost"
        } catch let error where Task.isCancelled || (error as? PostgresError)?.isUnavailable == true {
            // Shut down, or without a database: nothing is wrong with the bucket.
            await Task { await logged { try await store.write { try $0.giveBack(object) } } }.value
            return "given_back"
        } catch {
            await fail(object, error, about)
            return "failed"
        }
    }

    private func fail(_ object: SinkObject, _ error: any Error, _ about: Logger.Metadata) async {
        let detail = (error as? ObjectStoreError)?.detail ?? ""
        logger.warning(
            "An object is not what it shall be; it is tried again.",
            metadata: about.merging(
                ["cause": "\(error)", "detail": "\(detail)", "attempt": "\(object.attempts)"], uniquingKeysWith: { $1 })
        )
        let pause = min(Backoff.seconds(after: object.attempts), Self.longestPause * .random(in: 0.75...1.5))
        do {
            try await store.write { try $0.postpone(object, seconds: pause, cause: "\(error)") }
        } catch {
            // There is something new for it, or its lease runs out.
        }
    }

    var dimensions: [(String, String)] { [("bucket", target.name)] }

    /// The value; `nil` after an error, which is logged.
    func logged<Value: Sendable>(_ body: () async throws -> Value) async -> Value? {
        do {
            return try await body()
        } catch is CancellationError {
        } catch let error as PostgresError where error.kind == .cancelled {
        } catch is SinkListingLost {
        } catch let error as PostgresError where error.isUnavailable {
            logger.warning("The database cannot be asked; it will be asked again.", metadata: ["error": "\(error)"])
        } catch {
            logger.error("A bucket is not looked after; it will be tried again.", metadata: ["error": "\(error)"])
        }
        return nil
    }
}
