public import Logging
import Metrics
import ObjectStore
import Postgres
public import ServiceLifecycle
public import Storage
import Timing

/// Keeps a bucket up to date. It pushes changes, and compares the whole bucket at intervals. Each bucket has its own
/// pusher, so a broken or slow bucket does not delay others. Any number of workers can push to the same bucket.
public struct BucketPusher: Service {
    /// The duration of a worker's lease on an object, in seconds.
    static let leaseSeconds = 20
    /// The number of objects that are processed at the same time.
    static let width = 32
    /// The number of objects to claim together, so that fewer queries are needed. If fewer slots are free, the pusher
    /// waits for `pause` before it claims.
    static let batchSize = 8
    /// The pause before fewer objects than `batchSize` are claimed.
    static let pause = Duration.milliseconds(100)
    /// The maximum number of concurrent requests: one for each object being processed, and one for the listing.
    public static let connections = width + 1
    /// The interval between checks for changes if the doorbell does not ring.
    static let pollInterval = Duration.seconds(1)
    /// The interval between counts of objects that are not up to date.
    static let countInterval = Duration.seconds(5)
    /// The pause between attempts for an object: about 2, 6, 18 and 54 seconds, and then a minute, varied by up to
    /// half.
    static let backoff = Backoff(first: .seconds(2), longest: .seconds(60), factor: 3, jitter: 0.5...1.5)

    let store: Store
    let target: PushedBucket
    let doorbell: Doorbell
    let logger: Logger
    /// The duration of a worker's lease on a bucket's listing, in seconds. The worker renews the lease during the
    /// listing.
    let listingLeaseSeconds: Int
    /// The pause before each attempt while the bucket is not readable.
    let failingPause: Duration

    /// Creates a pusher.
    ///
    /// - Parameters:
    ///   - doorbell: Rings when a live version has changed.
    ///   - listingLeaseSeconds: The duration of the lease on the listing. If a worker dies while it lists the bucket,
    ///     another worker can list it after this time.
    ///   - failingPause: The pause before each attempt while the bucket is not readable.
    public init(
        store: Store, target: PushedBucket, doorbell: Doorbell, logger: Logger, listingLeaseSeconds: Int = 15,
        failingPause: Duration = .seconds(5)
    ) {
        self.failingPause = failingPause
        self.listingLeaseSeconds = listingLeaseSeconds
        self.store = store
        self.target = target
        self.doorbell = doorbell
        var logger = logger
        logger[metadataKey: "bucket"] = "\(target.name)"
        self.logger = logger
    }

    /// Runs until the service shuts down. Errors are logged and do not end it.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            guard let sink = await open() else { return }
            await withTaskGroup { group in
                group.addTask { await push(to: sink) }
                group.addTask { await compare(sink) }
                group.addTask { await count(sink) }
                group.addTask { await logged { while try await store.write({ try $0.forgetSinks() }) {} } }
            }
        }
        await target.bucket.close()
    }

    /// Registers the bucket as a sink, and retries until this succeeds. Returns `nil` if the service shuts down first.
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

    private func count(_ sink: Sink) async {
        while !Task.isCancelled {
            if let counts = await logged({ try await store.read { try $0.objectsBehind(of: sink) } }) {
                Gauge(label: "waymark_bucket_objects_behind", dimensions: dimensions).record(counts.behind)
                Gauge(label: "waymark_bucket_objects_failing", dimensions: dimensions).record(counts.failing)
            }
            try? await Task.sleep(for: Self.countInterval)
        }
    }

    var dimensions: [(String, String)] { [("bucket", target.name)] }

    /// Runs `body` and returns its value. Logs an error and returns `nil`.
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
