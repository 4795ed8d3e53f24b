import Metrics

/// The pool's metrics. The application's name is a label, so that the pools of one process can be distinguished.
struct PoolMetrics: Sendable {
    let opened: Counter
    let closed: Counter
    let failed: Counter
    let refused: Counter
    private let connections: Gauge
    private let inUse: Gauge
    private let waiting: Gauge

    init(name: String) {
        let labels = [("pool", name)]
        opened = Counter(label: "waymark_database_connections_opened_total", dimensions: labels)
        closed = Counter(label: "waymark_database_connections_closed_total", dimensions: labels)
        failed = Counter(label: "waymark_database_connect_failures_total", dimensions: labels)
        refused = Counter(label: "waymark_database_pool_refusals_total", dimensions: labels)
        connections = Gauge(label: "waymark_database_connections", dimensions: labels)
        inUse = Gauge(label: "waymark_database_connections_in_use", dimensions: labels)
        waiting = Gauge(label: "waymark_database_pool_waiting", dimensions: labels)
    }

    func record<Waiter>(_ pool: PoolState<Waiter>) {
        connections.record(pool.openCount)
        inUse.record(pool.leasedCount)
        waiting.record(pool.waiting)
    }
}
