import FoundationEssentials
import Logging
import StrictJSON

/// Writes the log to standard error: text on a terminal, otherwise one JSON object per line.
struct LogFormat: LogHandler {
    let label: String
    let isForPeople: Bool
    /// Writes the lines on its own thread. If `nil`, callers write their lines themselves.
    var writer: LogWriter?
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard let writer else { return Console.complain(line(event, at: .now)) }
        writer.add(event, self)
    }

    /// Formats an event as a line.
    func line(_ event: LogEvent, at time: Date) -> String {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let fields = all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        return isForPeople ? lineForPeople(event, fields, time) : lineForMachines(event, fields, time)
    }

    private func lineForPeople(_ event: LogEvent, _ fields: [(String, String)], _ time: Date) -> String {
        let tail = fields.filter { $0.0 != "hb.request.id" && !$0.1.isEmpty }.map { " \($0.0)=\($0.1)" }.joined()
        let level = event.level > .info ? "\(event.level) " : ""
        return "\(time.onTerminal) \(level)\(event.message)\(tail)"
    }

    private func lineForMachines(_ event: LogEvent, _ fields: [(String, String)], _ time: Date) -> String {
        var object = JSONObject(fields.map { ($0.0, .string($0.1)) })
        object["time"] = .string(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        object["level"] = .string("\(event.level)")
        object["message"] = .string("\(event.message)")
        object["logger"] = .string(label)
        return String(decoding: JSONValue.object(object.sorted()).bytes(), as: UTF8.self)
    }
}
