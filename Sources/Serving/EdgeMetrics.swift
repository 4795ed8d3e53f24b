internal import Metrics

/// What the edge counts.
struct EdgeMetrics: Sendable {
    private let byStatus: [Int: Counter]
    private let other: Counter
    let connections = Gauge(label: "waymark_edge_connections")
    let refusedConnections = Counter(label: "waymark_edge_connections_refused_total")
    let expired = Counter(label: "waymark_edge_connections_expired_total")

    init() {
        let statuses = [200, 304] + Set(Problem.allCases.map(\.status))
        byStatus = Dictionary(uniqueKeysWithValues: statuses.map { ($0, Self.counter(String($0))) })
        other = Self.counter("other")
    }

    func count(_ answer: WellKnownResponder.Answer) {
        let status =
            switch answer {
            case .found: 200
            case .notModified: 304
            case .problem(let problem): problem.status
            }
        (byStatus[status] ?? other).increment()
    }

    private static func counter(_ status: String) -> Counter {
        Counter(label: "waymark_edge_responses_total", dimensions: [("status", status)])
    }
}
