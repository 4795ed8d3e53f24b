internal import ContentCoding
internal import NIOConcurrencyHelpers
public import Snapshot
internal import Synchronization

/// Holds the current table. A change replaces the whole table. Readers never wait.
public final class LiveTable: SnapshotConsumer, Sendable {
    /// The `Cache-Control` header of every file.
    public struct CacheControl: Sendable, Hashable {
        /// The time in seconds that a cache can use a file without asking the server.
        public var lifetime: Int
        /// The time in seconds that a cache can still use an expired file if the server does not respond (RFC 5861).
        public var staleIfError: Int

        /// Creates the default values: five minutes, and a week if the server does not respond. Devices check a file
        /// about once a week.
        public init(lifetime: Int = 300, staleIfError: Int = 604_800) {
            self.lifetime = lifetime
            self.staleIfError = staleIfError
        }

        /// The header's value.
        public var field: String { "public, max-age=\(lifetime), stale-if-error=\(staleIfError)" }
    }

    private let cacheControl: CacheControl
    private let table = NIOLockedValueBox<ServingTable?>(nil)
    /// Increases with every change. An event loop compares it, and takes the lock only after a change.
    private let generation = Atomic<UInt64>(0)
    private let watchers = NIOLockedValueBox<[@Sendable () -> Void]>([])

    /// Creates a holder without a table. It serves nothing yet.
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
            // The follower has already verified these files.
            return try directory.blob(wanted.sha256, size: wanted.size, isKnownWhole: true).map {
                PreparedFile($0, cacheControl: cacheControl.field, encoder: encoder)
            }
        }
        replace(with: next)
    }

    /// Replaces the table. The next request uses the new one.
    func replace(with next: ServingTable) {
        table.withLockedValue { $0 = next }
        generation.wrappingAdd(1, ordering: .releasing)
        for watcher in watchers.withLockedValue({ $0 }) { watcher() }
    }

    /// Registers a function that is called after every change, on the thread that makes the change. It must not block.
    func onChange(_ watcher: @escaping @Sendable () -> Void) {
        watchers.withLockedValue { $0.append(watcher) }
    }

    /// An event loop's reference to the table. It may be outdated until ``current()`` is called.
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
