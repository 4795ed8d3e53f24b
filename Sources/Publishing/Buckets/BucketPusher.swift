public import Logging
import Metrics
import ObjectStore
import Postgres
public import ServiceLifecycle
public import Storage
import Timing

/// Keeps a bucket at what is live: pushes what changes, and compares all of it again and again. Each bucket has a pusher
/// of its own, so that one which is broken or slow holds nothing else back; any number of workers may have one.
public struct BucketPusher: Service {
    /// How long a worker holds an object before another may take it.
    static let leaseSeconds = 20
    /// So many objects are looked after at once.
    static let width = 32
    /// While more wait, so many are claimed at once, or what there is room for after a rest: the database is not asked
    /// for each of them alone.
    static let bite = 8
    /// The rest before fewer than a bite are claimed.
    static let rest = Duration.milliseconds(100)
    /// So many requests are under way at once: one for each object, and one for the list.
    public static let connections = width + 1
    /// How long it waits before it looks for what no hint told of.
    static let pollInterval = Duration.seconds(1)
    /// How often it counts what is behind.
    static let countInterval = Duration.seconds(5)
    /// Between the attempts at an object: about 2, 6, 18 and 54 seconds and then a minute, half as much more or less.
    static let backoff = Backoff(first: .seconds(2), longest: .seconds(60), factor: 3, jitter: 0.5...1.5)

    let store: Store
    let target: PushedBucket
    let doorbell: Doorbell
    let logger: Logger
    /// How long a worker holds the list of a bucket before another may take it; renewed while it is at it.
    let listingLeaseSeconds: Int
    /// The rest before each try of a bucket that cannot be read, whatever is asked for.
    let failingRest: Duration

    /// A pusher.
    ///
    /// - Parameters:
    ///   - doorbell: rings when something has gone live.
    ///   - listingLeaseSeconds: for how long nobody else lists the bucket when a worker dies that does.
    ///   - failingRest: before each try of a bucket that cannot be read, whatever is asked for.
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

    /// Works until the service is shut down. Errors are logged and never end it.
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
