internal import Metrics

/// The edge's metrics, over all its event loops.
struct EdgeMetrics: Sendable {
    private let byStatus: [Counter]
    /// From a complete head and body to the response; not for requests that break a limit or the protocol.
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

/// The answers of one event loop by status. They are counted here, so that no answer waits for a lock.
struct AnswerCounts {
    /// Every status that the edge answers with.
    static let statuses = [200, 304] + Set(EdgeError.allCases.map(\.status)).sorted()

    private(set) var byStatus = [Int64](repeating: 0, count: statuses.count)

    mutating func note(_ status: Int) {
        if let index = Self.statuses.firstIndex(of: status) { byStatus[index] += 1 }
    }
}
