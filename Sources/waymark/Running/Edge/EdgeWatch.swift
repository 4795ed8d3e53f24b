import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1

/// Requests `/livez` of an edge at regular intervals, to detect an edge that hangs.
///
/// Missing responses count only after the first response. Before it, the edge may be reading a large snapshot, which
/// can take any time.
struct EdgeWatch: Sendable {
    /// The time between a response and the next request.
    private static let interval = Duration.seconds(2)
    /// The time limit for a response. It is long enough for a busy machine.
    private static let deadline = Duration.seconds(5)
    /// After this many requests in a row without a response, the edge counts as hanging.
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

    /// Checks the edge. Uses a new connection each time, because a different edge may have taken over.
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
