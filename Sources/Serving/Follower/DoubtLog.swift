internal import Logging
internal import Metrics

/// Counts every doubt, and logs each only once until everything is in order again.
struct DoubtLog {
    /// The maximum number of different doubts to log. Further ones are only counted.
    private static let most = 1000

    private var logged: Set<SnapshotDoubt> = []
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    mutating func note(_ doubt: SnapshotDoubt) {
        Counter(label: "waymark_follower_doubts_total", dimensions: [("cause", doubt.code)]).increment()
        guard logged.count < Self.most, logged.insert(doubt.kind).inserted else { return }
        logger.warning(
            "snapshot rejected, still serving the last good one",
            metadata: ["cause": "\(doubt.code)", "detail": "\(doubt)"])
    }

    /// Everything is in order: log each doubt again from now on.
    mutating func settle() {
        guard !logged.isEmpty else { return }
        logged = []
        logger.info("snapshot applied completely again")
    }
}
