internal import NIOConcurrencyHelpers
internal import NIOCore

/// Who fetched which version of a host's file, how often, and when last.
public struct Fetch: Sendable, Hashable {
    /// What is counted together.
    public struct Key: Sendable, Hashable {
        /// The host in its normal form.
        public let host: String
        /// The number of the version that was sent.
        public let version: Int64
        /// Who asked.
        public let client: FetchClient
    }

    /// What is counted together.
    public let key: Key
    /// Answers, 200 and 304.
    public var count: Int
    /// The first and the last of them, in seconds since 1970.
    public var first: Int
    /// See `first`.
    public var last: Int

    /// Adds what was counted elsewhere or later.
    mutating func add(_ other: Fetch) {
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
    }
}

/// Collects what an edge's event loops have counted. Counting waits for nobody; collecting asks every loop in turn.
public final class FetchLog: Sendable {
    private let loops = NIOLockedValueBox<[NIOLoopBoundBox<EdgeLoop>]>([])

    /// Nothing is counted before an edge has this log.
    public init() {}

    func attach(_ loops: [NIOLoopBoundBox<EdgeLoop>]) {
        self.loops.withLockedValue { $0 = loops }
    }

    /// What has been counted since the last call.
    ///
    /// - Returns: the fetches, each key once for each loop, and the number of those for which there was no room.
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
