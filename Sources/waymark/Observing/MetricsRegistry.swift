import CoreMetrics
import Foundation
import Metrics
import NIOConcurrencyHelpers
import Synchronization

/// Collects the process's metrics and writes them as Prometheus text (exposition format 0.0.4).
///
/// Timers become histograms in seconds, and all other recorders become gauges. Recording a value takes no lock.
/// Creating a handle takes one, so create frequently used handles only once.
final class MetricsRegistry: MetricsFactory, Sendable {
    /// The maximum number of series. Further series are dropped, so that clients cannot use up the memory with labels.
    static let maximumSeries = 10_000

    private struct Key: Hashable {
        let name: String
        /// The labels, such as `route="/v1/teams",status="200"`, or an empty string.
        let labels: String
    }

    private let series = NIOLockedValueBox<[Key: any MetricSeries]>([:])

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { _ in CounterSeries() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions) { _ in GaugeSeries() }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) { name in HistogramSeries(bounds: MetricDescriptions.bounds(of: name)) }
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// All metrics, sorted by name and labels.
    func text() -> String {
        let all = series.withLockedValue { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var lines: [String] = []
        var name = ""
        for (key, series) in all {
            let samples = series.samples
            guard !samples.isEmpty else { continue }
            if key.name != name {
                name = key.name
                if let help = MetricDescriptions.help[name] { lines.append("# HELP \(name) \(help)") }
                lines.append("# TYPE \(name) \(type(of: series).type)")
            }
            for sample in samples {
                let labels = [key.labels, sample.label].filter { !$0.isEmpty }.joined(separator: ",")
                lines.append("\(name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the series with this name and these labels. Creates it if missing. A series above the limit is never
    /// shown.
    private func series<Series: MetricSeries>(
        _ label: String, _ dimensions: [(String, String)], _ make: (String) -> Series
    ) -> Series {
        let labels = dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
        let key = Key(name: name(label), labels: labels)
        return series.withLockedValue { series in
            if let known = series[key] as? Series { return known }
            let new = make(key.name)
            if series[key] == nil, series.count < Self.maximumSeries { series[key] = new }
            return new
        }
    }

    private func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// One line of the exposition format, without the metric's name and labels.
private struct Sample {
    var suffix = ""
    var label = ""
    let value: String
}

private protocol MetricSeries: AnyObject, Sendable {
    /// The type in the `# TYPE` line.
    static var type: String { get }
    /// The samples. Empty if no value was recorded.
    var samples: [Sample] { get }
}

private final class CounterSeries: CounterHandler, MetricSeries {
    static let type = "counter"
    private let count = Atomic<Int64>(0)

    var samples: [Sample] { [Sample(value: String(count.load(ordering: .relaxed)))] }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
}

private final class GaugeSeries: RecorderHandler, MetricSeries {
    static let type = "gauge"
    /// The bits of the value. The value is NaN until one is recorded.
    private let bits = Atomic<UInt64>(Double.nan.bitPattern)

    var samples: [Sample] {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        return value.isNaN ? [] : [Sample(value: "\(value)")]
    }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

private final class HistogramSeries: TimerHandler, MetricSeries {
    static let type = "histogram"

    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    /// The upper bounds of the buckets, in seconds, ascending.
    private let bounds: [Double]
    /// The number of values in each bucket, and of values above the last bound.
    private let counts: [Count]
    private let nanoseconds = Atomic<Int64>(0)

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in Count() }
    }

    var samples: [Sample] {
        var count = 0
        var samples: [Sample] = []
        for (position, bucket) in counts.enumerated() {
            count += bucket.value.load(ordering: .relaxed)
            let bound = position < bounds.count ? "\(bounds[position])" : "+Inf"
            samples.append(Sample(suffix: "_bucket", label: "le=\"\(bound)\"", value: "\(count)"))
        }
        let sum = Double(nanoseconds.load(ordering: .relaxed)) / 1e9
        return samples + [Sample(suffix: "_sum", value: "\(sum)"), Sample(suffix: "_count", value: "\(count)")]
    }

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) / 1e9
        let bucket = bounds.firstIndex { seconds <= $0 } ?? bounds.count
        counts[bucket].value.wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(duration, ordering: .relaxed)
    }
}
