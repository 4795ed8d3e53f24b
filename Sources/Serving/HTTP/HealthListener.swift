internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Snapshot

/// Serves `/livez`, `/readyz`, `/metrics` and `/internal/served` on a separate address. It is not reachable from
/// outside, and works even if the main address is overloaded.
struct HealthListener: Sendable {
    let table: LiveTable
    let renderMetrics: @Sendable () -> String
    let group: MultiThreadedEventLoopGroup

    /// Opens the listener. Returns `nil` if no address is set.
    func bind(_ address: Edge.HealthAddress?) async throws -> (any Channel)? {
        guard let address else { return nil }
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptBackoffHandler(backoffProvider: { _ in .milliseconds(100) }))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(30)))
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(HealthHandler(answer: answer))
                }
            }
            .bind(host: address.host, port: address.port)
            .get()
    }

    private func answer(_ uri: String) -> HealthHandler.Answer {
        let path = uri.prefix { $0 != "?" }
        switch path {
        case "/livez":
            return HealthHandler.Answer(status: .ok, type: "application/json", body: #"{"status":"ok"}"#)
        case "/readyz":
            guard let table = table.current else {
                return HealthHandler.Answer(
                    status: .serviceUnavailable, type: "application/json",
                    body: #"{"status":"no snapshot has been loaded yet"}"#)
            }
            let body = #"{"status":"ok","activation":\#(table.activation),"hosts":\#(table.count)}"#
            return HealthHandler.Answer(status: .ok, type: "application/json", body: body)
        case "/metrics":
            return HealthHandler.Answer(
                status: .ok, type: "text/plain; version=0.0.4; charset=utf-8", body: renderMetrics())
        case "/internal/served":
            return served(uri[path.endIndex...].dropFirst())
        default:
            return HealthHandler.Answer(
                status: .notFound, type: "application/json", body: #"{"status":"unknown path"}"#)
        }
    }

    /// Responds with 200 if the host is served, otherwise with 404. A web server can ask this before it requests a
    /// certificate for the host. Caddy's `ask` sends no credential, and sends the host as `domain` in the query. No
    /// database is needed, because the table has all hosts.
    private func served(_ query: Substring) -> HealthHandler.Answer {
        func answer(_ status: HTTPResponseStatus, _ words: String) -> HealthHandler.Answer {
            HealthHandler.Answer(status: status, type: "application/json", body: #"{"status":"\#(words)"}"#)
        }
        let domains = query.split(separator: "&").filter { $0.hasPrefix("domain=") }
        guard domains.count == 1, let host = domains.first?.dropFirst("domain=".count).lowercased(),
            HostName.isValid(host.utf8)
        else { return answer(.badRequest, "give one valid host as ?domain=") }
        guard let table = table.current else { return answer(.serviceUnavailable, "no snapshot has been loaded yet") }
        return table.serves(host) ? answer(.ok, "served") : answer(.notFound, "not served")
    }
}

/// Handles a connection of the health listener.
final class HealthHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    struct Answer {
        let status: HTTPResponseStatus
        let type: String
        let body: String
    }

    private let answer: (String) -> Answer
    private var head: HTTPRequestHead?

    init(answer: @escaping (String) -> Answer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            respond(to: head, context: context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func respond(to head: HTTPRequestHead, context: ChannelHandlerContext) {
        var answer = answer(head.uri)
        if head.method != .GET && head.method != .HEAD {
            answer = Answer(status: .methodNotAllowed, type: "application/json", body: #"{"status":"only GET"}"#)
        }
        var headers: HTTPHeaders = [
            "Content-Type": answer.type, "Content-Length": String(answer.body.utf8.count), "Cache-Control": "no-store",
        ]
        if answer.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        if !head.isKeepAlive { headers.add(name: "Connection", value: "close") }
        context.write(
            wrapOutboundOut(.head(.init(version: .http1_1, status: answer.status, headers: headers))), promise: nil)
        if head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
        }
        let sent = context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated()
        if !head.isKeepAlive { sent.whenComplete { _ in context.close(promise: nil) } }
    }
}
