import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1

/// Requests `/livez` of an edge regularly, because a process can hang while it runs.
///
/// An edge counts as hanging only after its first answer. Before that, it may be reading a large snapshot, which can
/// take any time.
struct EdgeWatch: Sendable {
    /// The time between an answer and the next request.
    private static let interval = Duration.seconds(2)
    /// The time limit of an answer, long enough for a busy machine.
    private static let deadline = Duration.seconds(5)
    /// The number of unanswered requests in a row after which the edge counts as hanging.
    private static let maximumFailures = 3

    private let address: String
    private let logger: Logger

    /// Creates a watch for the edge with health checks at `address`.
    init(_ address: Address, logger: Logger) {
        self.address = "http://\(address)/livez"
        self.logger = logger
    }

    /// Returns when the edge hangs, or when the task is cancelled.
    func waitUntilHanging() async {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var hasAnswered = false
        var failures = 0
        while failures < Self.maximumFailures, (try? await Task.sleep(for: Self.interval)) != nil {
            if await isUp(client) {
                if !hasAnswered { logger.info("The edge is up.", metadata: ["address": "\(address)"]) }
                (hasAnswered, failures) = (true, 0)
            } else if hasAnswered, !Task.isCancelled {
                failures += 1
                logger.warning(
                    "The edge does not answer.",
                    metadata: ["address": "\(address)", "failures": "\(failures)", "within": "\(Self.deadline)"])
            }
        }
        try? await client.shutdown()
    }

    /// Uses a new connection each time, because a different edge may have taken over.
    private func isUp(_ client: HTTPClient) async -> Bool {
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "Connection", value: "close")
        guard let response = try? await client.execute(request, timeout: TimeAmount(Self.deadline)) else {
            return false
        }
        _ = try? await response.body.collect(upTo: 1024)
        return response.status == .ok
    }
}
