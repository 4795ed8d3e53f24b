internal import Metrics

/// The edge's metrics for all event loops.
struct EdgeMetrics: Sendable {
    private let byStatus: [Counter]
    /// The time from the end of a request to its response. Requests that exceed a limit or violate the protocol are not
    /// measured.
    let duration = Metrics.Timer(label: "waymark_edge_request_duration_seconds")
    let connections = Gauge(label: "waymark_edge_connections")
    let refusedConnections = Counter(label: "waymark_edge_connections_refused_total")
    let expired = Counter(label: "waymark_edge_connections_expired_total")

    init() {
        byStatus = AnswerCounts.statuses.map { status in
            Counter(label: "waymark_edge_responses_total", dimensions: [("status", String(status))])
        }
    }

    /// Adds the counts of one event loop.
    func add(_ counts: AnswerCounts) {
        for (counter, count) in zip(byStatus, counts.byStatus) where count > 0 { counter.increment(by: count) }
    }
}

/// The number of responses of one event loop, by status. Each loop counts separately, so that no response waits for a
/// lock.
struct AnswerCounts {
    /// All statuses that the edge can send.
    static let statuses = [200, 304] + Set(EdgeError.allCases.map(\.status)).sorted()

    private(set) var byStatus = [Int64](repeating: 0, count: statuses.count)

    mutating func note(_ status: Int) {
        if let index = Self.statuses.firstIndex(of: status) { byStatus[index] += 1 }
    }
}
