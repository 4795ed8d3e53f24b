public import Logging
import Metrics
import ObjectStore
import Postgres
public import ServiceLifecycle
public import Storage
import Timing

/// Keeps a bucket up to date: pushes changes, and compares the whole bucket again and again. Each bucket has its own
/// pusher, so that a broken or slow bucket does not delay others. Any number of workers may push to the same bucket.
public struct BucketPusher: Service {
    /// How long a worker holds an object before another worker may take it.
    static let leaseSeconds = 20
    /// How many objects are processed at once.
    static let width = 32
    /// How many objects are claimed at once while there are more, or fewer after a pause, so that the database is not
    /// queried for each object.
    static let bite = 8
    /// The pause before fewer objects are claimed.
    static let rest = Duration.milliseconds(100)
    /// How many requests are made at once: one for each object, and one for the listing.
    public static let connections = width + 1
    /// How long it waits before it looks for changes without a hint.
    static let pollInterval = Duration.seconds(1)
    /// How often it counts the objects that are not up to date.
    static let countInterval = Duration.seconds(5)
    /// The pause between attempts at an object: about 2, 6, 18 and 54 seconds and then a minute, half as much more or
    /// less.
    static let backoff = Backoff(first: .seconds(2), longest: .seconds(60), factor: 3, jitter: 0.5...1.5)

    let store: Store
    let target: PushedBucket
    let doorbell: Doorbell
    let logger: Logger
    /// How long a worker holds the listing of a bucket before another worker may take it. It is renewed during the
    /// listing.
    let listingLeaseSeconds: Int
    /// The pause before each attempt while the bucket cannot be read.
    let failingRest: Duration

    /// A pusher.
    ///
    /// - Parameters:
    ///   - doorbell: rings when something has gone live.
    ///   - listingLeaseSeconds: how long the bucket is not listed after the death of a worker that was listing it.
    ///   - failingRest: the pause before each attempt while the bucket cannot be read.
    public init(
        store: Store, target: PushedBucket, doorbell: Doorbell, logger: Logger, listingLeaseSeconds: Int = 15,
        failingRest: Duration = .seconds(5)
    ) {
        self.failingRest = failingRest
        self.listingLeaseSeconds = listingLeaseSeconds
        self.store = store
        self.target = target
        self.doorbell = doorbell
        var logger = logger
        logger[metadataKey: "bucket"] = "\(target.name)"
        self.logger = logger
    }

    /// Runs until the service is shut down. Errors are logged and never end it.
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

    /// `nil` if the service is shut down first.
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
