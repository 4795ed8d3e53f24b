import Foundation

/// The times at which the steps of a publication were seen, from the start of the request.
struct PublicationSteps {
    /// The request's transaction, including the gate, has been committed.
    let committed: Duration
    /// The request has been answered.
    let answered: Duration
    /// The worker's transaction has been committed.
    let live: Duration
    /// A consumer that waits for the manifest has received the delta.
    let told: Duration
    /// The edge serves the new version.
    let served: Duration

    /// Prints the time of each step from the start and from the previous step.
    static func report(_ steps: [PublicationSteps]) {
        print("\(steps.count) publications, milliseconds: p50, p99, longest")
        row("API: committed", steps.map(\.committed))
        row("API: answered", steps.map(\.answered))
        row("live: the worker's commit", steps.map(\.live), own: steps.map { $0.live - $0.committed })
        row("sent: a waiting consumer has it", steps.map(\.told), own: steps.map { $0.told - $0.live })
        row("served by the edge", steps.map(\.served), own: steps.map { $0.served - $0.told })
    }

    private static func row(_ name: String, _ times: [Duration], own: [Duration]? = nil) {
        print("\(name): \(text(times))" + (own.map { "; this step \(text($0))" } ?? ""))
    }

    private static func text(_ times: [Duration]) -> String {
        let sorted = times.map { $0 / .milliseconds(1) }.sorted()
        guard let last = sorted.last else { return "" }
        func share(_ part: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] }
        return String(format: "%.1f %.1f %.1f", share(0.5), share(0.99), last)
    }
}
