import CoreMetrics
import Foundation
import Metrics
import NIOConcurrencyHelpers

/// Keeps the process's metrics and writes them as Prometheus text (exposition format 0.0.4).
///
/// Counters and gauges are themselves; timers and recorders become summaries of count and sum, in seconds for timers.
final class MetricsRegistry: MetricsFactory, Sendable {
    /// Series beyond this are dropped, so that no caller can fill the memory with labels.
    static let mostSeries = 10_000

    private struct Series: Hashable {
        let name: String
        let labels: String
    }

    private enum Kind: String {
        case counter, gauge, summary
    }

    private struct Value {
        let kind: Kind
        var sum = 0.0
        var count = 0
    }

    private let values = NIOLockedValueBox<[Series: Value]>([:])

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(registry: self, series: series(label, dimensions), kind: .counter)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler(registry: self, series: series(label, dimensions), kind: aggregate ? .summary : .gauge)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(registry: self, series: series(label, dimensions), kind: .summary)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// All metrics, by name and labels.
    func text() -> String {
        let all = values.withLockedValue { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var lines: [String] = []
        var name = ""
        for (series, value) in all {
            if series.name != name {
                name = series.name
                lines.append("# TYPE \(name) \(value.kind.rawValue)")
            }
            if value.kind == .summary {
                lines.append("\(name)_sum\(series.labels) \(value.sum)")
                lines.append("\(name)_count\(series.labels) \(value.count)")
            } else {
                lines.append("\(name)\(series.labels) \(value.sum)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
        let labels = dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
        return Series(name: name(label), labels: labels.isEmpty ? "" : "{\(labels)}")
    }

    private func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private final class Handler: CounterHandler, RecorderHandler, TimerHandler {
        let registry: MetricsRegistry
        let series: Series
        let kind: Kind

        init(registry: MetricsRegistry, series: Series, kind: Kind) {
            self.registry = registry
            self.series = series
            self.kind = kind
        }

        func increment(by amount: Int64) { change { $0.sum += Double(amount) } }
        func reset() { change { $0.sum = 0 } }
        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) {
            change { current in
                current.sum = kind == .gauge ? value : current.sum + value
                current.count += 1
            }
        }
        func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

        private func change(_ body: (inout Value) -> Void) {
            registry.values.withLockedValue { values in
                guard values[series] != nil || values.count < MetricsRegistry.mostSeries else { return }
                body(&values[series, default: Value(kind: kind)])
            }
        }
    }
}
