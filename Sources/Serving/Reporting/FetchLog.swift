internal import NIOConcurrencyHelpers
internal import NIOCore

/// The fetches of one version of a host's file by one kind of client.
public struct Fetch: Sendable, Hashable {
    /// Fetches with the same key are counted together.
    public struct Key: Sendable, Hashable {
        /// The host in normal form.
        public let host: String
        /// The number of the served version.
        public let version: Int64
        /// The kind of client.
        public let client: FetchClient
    }

    /// The key of these fetches.
    public let key: Key
    /// The number of responses with 200 or 304.
    public var count: Int
    /// The time of the first response, in seconds since 1970.
    public var first: Int
    /// The time of the last response, in seconds since 1970.
    public var last: Int

    /// Adds fetches with the same key, from another event loop or a later time.
    mutating func add(_ other: Fetch) {
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
    }
}

/// Collects the counts of an edge's event loops. Counting never waits, because only collecting reads the loops' counts,
/// one loop after another.
public final class FetchLog: Sendable {
    private let loops = NIOLockedValueBox<[NIOLoopBoundBox<EdgeLoop>]>([])

    /// Creates a log. It is empty until an edge uses it.
    public init() {}

    func attach(_ loops: [NIOLoopBoundBox<EdgeLoop>]) {
        self.loops.withLockedValue { $0 = loops }
    }

    /// Returns the counts since the last call.
    ///
    /// - Returns: The fetches, with each key at most once per loop, and the number of fetches that were counted without
    ///   a row.
    func take() async -> (fetches: [Fetch], dropped: Int) {
        var fetches: [Fetch] = []
        var dropped = 0
        for loop in loops.withLockedValue({ $0 }) {
            let taken = try? await loop.eventLoop.submit { loop.value.takeFetches() }.get()
            guard let taken else { continue }
            dropped += taken.dropped
            fetches.append(
                contentsOf: taken.rows.map { row in
                    Fetch(
                        key: Fetch.Key(host: taken.host(of: row), version: row.version, client: row.client),
                        count: Int(row.count), first: row.first, last: row.last)
                })
        }
        return (fetches, dropped)
    }
}
