internal import Logging
internal import Metrics

/// Counts every doubt and logs each once, until things are in order again.
struct DoubtLog {
    /// More different doubts at a time are counted, not logged.
    private static let most = 1000

    private var logged: Set<SnapshotDoubt> = []
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    mutating func note(_ doubt: SnapshotDoubt) {
        Counter(label: "waymark_follower_doubts_total", dimensions: [("cause", doubt.code)]).increment()
        guard logged.count < Self.most, logged.insert(doubt.kind).inserted else { return }
        logger.warning(
            "snapshot not taken over, serving on what is known to be good",
            metadata: ["cause": "\(doubt.code)", "detail": "\(doubt)"])
    }

    /// All is well: what goes wrong from now on is news.
    mutating func settle() {
        guard !logged.isEmpty else { return }
        logged = []
        logger.info("snapshot taken over whole again")
    }
}
