import HTTPTypes
import Metrics
import Synchronization
import Timing

/// The metrics of requests. Their handles are cached, because creating one is slow: the registry formats all labels and
/// looks for the series.
///
/// Routes, methods and statuses come from fixed lists, so the number of handles is limited.
final class RequestMetrics: Sendable {
    private struct Series: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct Handles {
        var counters: [Series: Counter] = [:]
        var timers: [String: Metrics.Timer] = [:]
    }

    private let handles = Mutex(Handles())

    /// Counts a request and records its duration.
    func record(_ method: HTTPRequest.Method, route: String, status: Int, _ duration: Duration) {
        let series = Series(route: route, method: Self.known(method), status: status)
        let (counter, timer) = handles.withLock { handles in
            (Self.counter(of: series, in: &handles), Self.timer(of: route, in: &handles))
        }
        counter.increment()
        timer.recordNanoseconds(duration.wholeNanoseconds)
    }

    private static func counter(of series: Series, in handles: inout Handles) -> Counter {
        if let known = handles.counters[series] { return known }
        let new = Counter(
            label: "waymark_http_requests_total",
            dimensions: [("method", series.method), ("route", series.route), ("status", "\(series.status)")])
        handles.counters[series] = new
        return new
    }

    private static func timer(of route: String, in handles: inout Handles) -> Metrics.Timer {
        if let known = handles.timers[route] { return known }
        let new = Metrics.Timer(label: "waymark_http_request_duration_seconds", dimensions: [("route", route)])
        handles.timers[route] = new
        return new
    }

    /// Each method becomes a time series, so all unknown methods count as one.
    private static func known(_ method: HTTPRequest.Method) -> String {
        [.get, .head, .post, .put, .patch, .delete, .options].contains(method) ? method.rawValue : "other"
    }
}
