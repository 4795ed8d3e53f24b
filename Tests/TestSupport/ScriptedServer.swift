internal import NIOConcurrencyHelpers
internal import NIOCore
public import NIOHTTP1
internal import NIOPosix

/// An HTTP server for one test that answers with a script.
public final class ScriptedServer: Sendable {
    /// The answer to a request.
    public enum Script: Sendable {
        /// Sends a status, fields and a body after a delay.
        case answer(Int, fields: [(String, String)] = [], body: [UInt8] = [], afterMilliseconds: Int64 = 0)
        /// Sends the head and one byte of the body, then nothing.
        case stall
        /// Closes without an answer.
        case hangUp
    }

    private let channel: any Channel
    private let seen: NIOLockedValueBox<[HTTPRequestHead]>

    /// The requests so far.
    public var requests: [HTTPRequestHead] { seen.withLockedValue { $0 } }

    /// `http://127.0.0.1:port`.
    public var baseURL: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// Starts a server. It calls `script` for each request.
    public init(_ script: @escaping @Sendable (HTTPRequestHead) -> Script) async throws {
        let seen = NIOLockedValueBox<[HTTPRequestHead]>([])
        self.seen = seen
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptHandler { head in
                            seen.withLockedValue { $0.append(head) }
                            return script(head)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    /// Stops the server.
    public func close() async throws { try await channel.close() }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let script: (HTTPRequestHead) -> ScriptedServer.Script

    init(script: @escaping (HTTPRequestHead) -> ScriptedServer.Script) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        switch script(head) {
        case .hangUp:
            context.close(promise: nil)
        case .stall:
            write(200, ["Content-Length": "1000"], [0x7B], context)
            context.flush()
        case .answer(let status, let fields, let body, let milliseconds):
            var headers: HTTPHeaders = ["Content-Length": String(body.count)]
            headers.add(contentsOf: fields)
            let (answer, context) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.loopBound)
            context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) { [headers] in
                answer.value.write(status, headers, body, context.value)
                context.value.writeAndFlush(answer.value.wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }

    private func write(_ status: Int, _ headers: HTTPHeaders, _ body: [UInt8], _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }
}
