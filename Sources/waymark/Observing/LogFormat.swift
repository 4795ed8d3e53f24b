import Foundation
import Logging

/// Writes the log to standard error: text on a terminal, otherwise a JSON object per line.
struct LogFormat: LogHandler {
    let label: String
    let isForPeople: Bool
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let fields = all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        let line = isForPeople ? lineForPeople(event, fields) : lineForMachines(event, fields)
        Console.complain(line)
    }

    private func lineForPeople(_ event: LogEvent, _ fields: [(String, String)]) -> String {
        let tail = fields.filter { $0.0 != "hb.request.id" && !$0.1.isEmpty }.map { " \($0.0)=\($0.1)" }.joined()
        let level = event.level > .info ? "\(event.level) " : ""
        return "\(Date.now.onTerminal) \(level)\(event.message)\(tail)"
    }

    private func lineForMachines(_ event: LogEvent, _ fields: [(String, String)]) -> String {
        var object = Dictionary(fields.map { ($0.0, $0.1) }, uniquingKeysWith: { $1 })
        object["time"] = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        object["level"] = "\(event.level)"
        object["message"] = "\(event.message)"
        object["logger"] = label
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(object) else { return "{\"message\":\"a log line could not be encoded\"}" }
        return String(decoding: data, as: UTF8.self)
    }
}
