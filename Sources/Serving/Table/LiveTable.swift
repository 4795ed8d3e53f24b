internal import NIOConcurrencyHelpers
public import Snapshot
internal import Synchronization

/// The table that is served now: replaced as a whole, read without waiting.
public final class LiveTable: SnapshotConsumer, Sendable {
    /// The `Cache-Control` of every file.
    public struct CacheControl: Sendable, Hashable {
        /// Seconds for which a cache need not ask again.
        public var lifetime: Int
        /// Seconds for which a cache may serve on while nothing answers (RFC 5861).
        public var staleIfError: Int

        /// Five minutes, and a week when nothing answers: devices look again about weekly.
        public init(lifetime: Int = 300, staleIfError: Int = 604_800) {
            self.lifetime = lifetime
            self.staleIfError = staleIfError
        }

        /// The field's value.
        public var field: String { "public, max-age=\(lifetime), stale-if-error=\(staleIfError)" }
    }

    private let cacheControl: CacheControl
    private let table = NIOLockedValueBox<ServingTable?>(nil)
    /// Rises with every change, so that an event loop asks for the lock only when there is something new.
    private let generation = Atomic<UInt64>(0)
    private let watchers = NIOLockedValueBox<[@Sendable () -> Void]>([])

    /// Nothing is served yet.
    public init(cacheControl: CacheControl = CacheControl()) {
        self.cacheControl = cacheControl
    }

    /// The table served now; nil before the first snapshot.
    public var current: ServingTable? { table.withLockedValue { $0 } }

    /// Makes a table of the snapshot and serves it. Files that the present table has are taken over from it.
    public func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError) {
        let known = current?.filesByHash ?? [:]
        let encoder = GzipEncoder()
        let next = try ServingTable(snapshot) { (wanted) throws(SnapshotDirectoryError) in
            if let file = known[wanted.sha256] { return file }
            // The follower hands over only what it has found whole.
            return try directory.blob(wanted.sha256, size: wanted.size, isKnownWhole: true).map {
                PreparedFile($0, cacheControl: cacheControl.field, encoder: encoder)
            }
        }
        replace(with: next)
    }

    /// Serves this table from the next request on.
    func replace(with next: ServingTable) {
        table.withLockedValue { $0 = next }
        generation.wrappingAdd(1, ordering: .releasing)
        for watcher in watchers.withLockedValue({ $0 }) { watcher() }
    }

    /// From now on, calls `watcher` after every change, on the thread that made it; it must not wait.
    func onChange(_ watcher: @escaping @Sendable () -> Void) {
        watchers.withLockedValue { $0.append(watcher) }
    }

    /// One event loop's own reference to the table. It keeps the table before the last one until it is asked.
    struct View {
        private let live: LiveTable
        private var seen = UInt64.max
        private var table: ServingTable?

        init(_ live: LiveTable) { self.live = live }

        /// The table served now.
        mutating func current() -> ServingTable? {
            let generation = live.generation.load(ordering: .acquiring)
            if generation != seen {
                seen = generation
                table = live.current
            }
            return table
        }
    }
}
