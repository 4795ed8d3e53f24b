import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1

/// Asks an edge again and again whether it is up (`/livez`): a process may live and do nothing.
///
/// Only an edge that has answered is judged: one that starts may read a large snapshot first, for as long as that takes.
struct EdgeWatch: Sendable {
    /// Between an answer and the next question.
    private static let interval = Duration.seconds(2)
    /// For an answer. A busy machine is given time.
    private static let deadline = Duration.seconds(5)
    /// So many questions in a row without an answer, and the edge hangs.
    private static let mostFailures = 3

    private let address: String
    private let logger: Logger

    /// A watch over the edge whose health is at `address`.
    init(_ address: Address, logger: Logger) {
        self.address = "http://\(address)/livez"
        self.logger = logger
    }

    /// Returns when the edge hangs, or when the task is cancelled.
    func untilItHangs() async {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var hasAnswered = false
        var failures = 0
        while failures < Self.mostFailures, (try? await Task.sleep(for: Self.interval)) != nil {
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

    /// On a connection of its own: another edge may have taken over from the one that had the last.
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
