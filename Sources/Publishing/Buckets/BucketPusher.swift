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
    /// How long it waits before it looks for what no hint told of.
    static let pollInterval = Duration.seconds(1)
    /// The longest pause between two attempts at an object, in seconds, half as much more by chance.
    static let longestPause = 60.0

    let store: Store
    let target: PushedBucket
    let doorbell: Doorbell
    let logger: Logger

    /// A pusher; `doorbell` rings when something has gone live.
    public init(store: Store, target: PushedBucket, doorbell: Doorbell, logger: Logger) {
        self.store = store
        self.target = target
        self.doorbell = doorbell
        var logger = logger
        logger[metadataKey: "bucket"] = "\(target.sink.name)"
        self.logger = logger
    }

    /// Works until the service is shut down. Errors are logged and never end it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await open()
            await withTaskGroup { group in
                group.addTask { await push() }
                group.addTask { await compare() }
            }
        }
        await target.bucket.close()
    }

    private func open() async {
        while !Task.isCancelled {
            let isOpen: Void? = await logged {
                try await store.write { [sink = target.sink] in try $0.open(sink) }
            }
            if isOpen != nil { return }
            try? await Task.sleep(for: Self.pollInterval)
        }
    }

    private func push() async {
        var isReplaced = false
        while !Task.isCancelled {
            let pause = await logged {
                let isOurs = try await store.write { [sink = target.sink] in try $0.queueChanges(of: sink) }
                if !isOurs, !isReplaced {
                    logger.warning("A worker that started later has this bucket at another address: it is left to it.")
                }
                isReplaced = !isOurs
                return isOurs ? try await pushOnce() : Self.pollInterval
            }
            if pause != .zero { await doorbell.wait(atMost: pause ?? Self.pollInterval) }
        }
    }

    /// How long there is nothing to do.
    private func pushOnce() async throws -> Duration {
        let end = ContinuousClock.now + .seconds(Self.leaseSeconds)
        let objects = try await store.write { [sink = target.sink] in
            try $0.claimObjects(of: sink, atMost: Self.width, leaseSeconds: Self.leaseSeconds)
        }
        await withTaskGroup { group in
            for object in objects { group.addTask { await push(object, until: end) } }
        }
        let (due, counts) = try await store.read { [sink = target.sink] installation in
            (try installation.nextObjectDue(of: sink), try installation.objectsBehind(of: sink))
        }
        Gauge(label: "waymark_bucket_objects_behind", dimensions: dimensions).record(counts.behind)
        Gauge(label: "waymark_bucket_objects_failing", dimensions: dimensions).record(counts.failing)
        guard objects.isEmpty else { return .zero }
        return min(max(due ?? Self.pollInterval, .milliseconds(10)), Self.pollInterval)
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
        } catch let error where Task.isCancelled || error is PostgresError {
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

    var dimensions: [(String, String)] { [("bucket", target.sink.name)] }

    /// The value; `nil` after an error, which is logged.
    func logged<Value: Sendable>(_ body: () async throws -> Value) async -> Value? {
        do {
            return try await body()
        } catch is CancellationError {
        } catch let error as PostgresError where error.kind == .cancelled {
        } catch is SinkObjectLost {
        } catch let error as PostgresError where error.isUnavailable {
            logger.warning("The database cannot be asked; it will be asked again.", metadata: ["error": "\(error)"])
        } catch {
            logger.error("A bucket is not looked after; it will be tried again.", metadata: ["error": "\(error)"])
        }
        return nil
    }
}
