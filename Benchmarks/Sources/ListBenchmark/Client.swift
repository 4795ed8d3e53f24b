import Foundation
import RunningWaymark

/// Asks the service on one connection, one request after the other, and takes the time.
struct Client: Sendable {
    enum Failure: Error { case notAnswered, refused(String) }

    let port: Int
    /// How many requests make a figure.
    let requests: Int

    /// The median and the 99th percentile of the time to an answer, in milliseconds.
    struct Times {
        let median: Double
        let slow: Double

        init(_ durations: [Duration]) {
            let sorted = durations.sorted().map { $0 / .milliseconds(1) }
            median = sorted[sorted.count / 2]
            slow = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
    }

    func times(of path: String, by token: String) throws -> Times {
        try times(by: token) { ("GET", path, [], "", $0) }
    }

    /// The times of requests that differ; `request` gets the number of each. The first five do not count.
    func times(
        by token: String,
        _ request: (Int) throws -> (method: String, path: String, fields: [String], body: String, number: Int)
    ) throws -> Times {
        guard let connection = Connection(port: port) else { throw Failure.notAnswered }
        var durations: [Duration] = []
        for number in -5..<requests {
            let asked = try request(number + 5)
            let start = ContinuousClock.now
            _ = try Self.ask(connection, asked.method, asked.path, token, asked.fields, asked.body)
            if number >= 0 { durations.append(ContinuousClock.now - start) }
        }
        return Times(durations)
    }

    @discardableResult
    static func ask(
        _ connection: Connection, _ method: String, _ path: String, _ token: String, _ fields: [String] = [],
        _ body: String = ""
    ) throws -> HTTPAnswer {
        let fields = ["Host: localhost", "Authorization: Bearer \(token)", "Content-Type: application/json"] + fields
        guard let answer = connection.ask(method, path, fields: fields, body: body) else { throw Failure.notAnswered }
        guard (200...299).contains(answer.status) else {
            throw Failure.refused("\(path): \(answer.head) \(answer.body)")
        }
        return answer
    }
}

/// A figure with two decimals.
func milliseconds(_ figure: Double) -> String { String(format: "%.2f", figure) }
