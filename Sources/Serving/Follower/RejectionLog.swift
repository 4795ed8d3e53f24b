internal import Logging
internal import Metrics

/// Counts every rejection. Logs each rejection once, until a reset.
struct RejectionLog {
    /// The maximum number of different rejections in the log. Others are only counted.
    private static let maximum = 1000

    private var logged: Set<SnapshotRejection> = []
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    mutating func note(_ rejection: SnapshotRejection) {
        Counter(label: "waymark_follower_rejections_total", dimensions: [("cause", rejection.code)]).increment()
        guard logged.count < Self.maximum, logged.insert(rejection.kind).inserted else { return }
        logger.warning(
            "snapshot rejected, still serving the last good one",
            metadata: ["cause": "\(rejection.code)", "detail": "\(rejection)"])
    }

    /// Call this when no problem is left. From then on, each rejection is logged again.
    mutating func reset() {
        guard !logged.isEmpty else { return }
        logged = []
        logger.info("snapshot applied completely again")
    }
}
