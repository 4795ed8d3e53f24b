import Foundation

/// The times of a publication's steps, measured from the start of the request.
struct PublicationSteps {
    /// The commit of the request's transaction, which includes the gate.
    let committed: Duration
    /// The answer to the request.
    let answered: Duration
    /// The commit of the worker's transaction.
    let live: Duration
    /// A consumer that waits for the manifest receives the delta.
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
