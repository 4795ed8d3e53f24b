internal import ContentCoding
internal import NIOConcurrencyHelpers
public import Snapshot
internal import Synchronization

/// The current table. It is replaced as a whole, and read without waiting.
public final class LiveTable: SnapshotConsumer, Sendable {
    /// The `Cache-Control` header of every file.
    public struct CacheControl: Sendable, Hashable {
        /// The time in seconds that a cache can use a file without asking again.
        public var lifetime: Int
        /// The time in seconds that a cache can continue to use a file if the server does not answer (RFC 5861).
        public var staleIfError: Int

        /// Creates the default values: five minutes; and a week if the server does not answer, because devices check
        /// again about once a week.
        public init(lifetime: Int = 300, staleIfError: Int = 604_800) {
            self.lifetime = lifetime
            self.staleIfError = staleIfError
        }

        /// The header's value.
        public var field: String { "public, max-age=\(lifetime), stale-if-error=\(staleIfError)" }
    }

    private let cacheControl: CacheControl
    private let table = NIOLockedValueBox<ServingTable?>(nil)
    /// Increases with every change, so that an event loop takes the lock only after a change.
    private let generation = Atomic<UInt64>(0)
    private let watchers = NIOLockedValueBox<[@Sendable () -> Void]>([])

    /// Creates an empty table holder. It serves nothing yet.
    public init(cacheControl: CacheControl = CacheControl()) {
        self.cacheControl = cacheControl
    }

    /// The current table, or `nil` before the first snapshot.
    public var current: ServingTable? { table.withLockedValue { $0 } }

    /// Creates a table from the snapshot and serves it. Reuses files of the current table.
    public func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError) {
        let known = current?.filesByHash ?? [:]
        let encoder = GzipEncoder()
        let next = try ServingTable(snapshot) { (wanted) throws(SnapshotDirectoryError) in
            if let file = known[wanted.sha256] { return file }
            // The follower passes only files that it has verified.
            return try directory.blob(wanted.sha256, size: wanted.size, isKnownWhole: true).map {
                PreparedFile($0, cacheControl: cacheControl.field, encoder: encoder)
            }
        }
        replace(with: next)
    }

    /// Serves this table, starting with the next request.
    func replace(with next: ServingTable) {
        table.withLockedValue { $0 = next }
        generation.wrappingAdd(1, ordering: .releasing)
        for watcher in watchers.withLockedValue({ $0 }) { watcher() }
    }

    /// Calls `watcher` after every change from now on, on the thread of the change. `watcher` must not block.
    func onChange(_ watcher: @escaping @Sendable () -> Void) {
        watchers.withLockedValue { $0.append(watcher) }
    }

    /// The reference of one event loop to the table. It can hold an outdated table until ``current()`` is called.
    struct View {
        private let live: LiveTable
        private var seen = UInt64.max
        private var table: ServingTable?

        init(_ live: LiveTable) { self.live = live }

        /// The current table.
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
