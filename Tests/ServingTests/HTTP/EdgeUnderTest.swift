import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle

@testable import Serving

/// An edge on a free port of this machine.
struct EdgeUnderTest: Sendable {
    let port: Int
    let healthPort: Int
    let group: ServiceGroup

    /// Sends a request that asks to close the connection, and returns the answer.
    func get(
        _ target: String = "/.well-known/apple-app-site-association", host: String = "www.example",
        method: String = "GET", fields: [String] = []
    ) async throws -> RawAnswer {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close"] + fields
        return try await only(
            exchange(port, lines.joined(separator: "\r\n") + "\r\n\r\n", toHEAD: method == "HEAD"))
    }

    /// The only answer; fails if there is not exactly one.
    func only(_ answers: [RawAnswer]) throws -> RawAnswer {
        guard answers.count == 1 else { throw NotOne(count: answers.count) }
        return answers[0]
    }

    struct NotOne: Error { let count: Int }
}

/// Runs an edge during `body`, and shuts it down as a service group does.
func withEdge<Result: Sendable>(
    _ table: LiveTable, port: Int = 0, proxies: ProxyList = .none, maximumConnections: Int = 100,
    limits: Edge.Limits = Edge.Limits(), fetches: FetchLog = FetchLog(),
    takeOver: @escaping @Sendable () async -> Void = {}, release: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (EdgeUnderTest) async throws -> Result
) async throws -> Result {
    let configuration = Edge.Configuration(
        host: "127.0.0.1", port: port, health: .init(host: "127.0.0.1", port: 0),
        maximumConnections: maximumConnections, trustedProxies: proxies, limits: limits)
    let (listening, continuation) = AsyncStream<Edge.Listening>.makeStream()
    let edge = Edge(
        configuration: configuration, table: table, fetches: fetches, metrics: { "waymark_test 1\n" },
        logger: quietLogger, takeOver: takeOver, release: release, listening: { continuation.yield($0) })
    let group = ServiceGroup(services: [edge], logger: quietLogger)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { continuation.finish() }
            try await group.run()
        }
        for await addresses in listening {
            let tested = EdgeUnderTest(
                port: addresses.edge.port ?? 0, healthPort: addresses.health?.port ?? 0, group: group)
            let result = try await body(tested)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
        throw CancellationError()
    }
}

let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
