internal import Logging
internal import Metrics

/// Counts every rejection, and logs each only once until there are no more problems.
struct RejectionLog {
    /// The maximum number of different rejections to log. Further rejections are only counted.
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

    /// Reports that there are no more problems. Each rejection is logged again from now on.
    mutating func reset() {
        guard !logged.isEmpty else { return }
        logged = []
        logger.info("snapshot applied completely again")
    }
}
