import HTTPTypes
import Metrics
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Serving

/// Closes a connection of the API if the client takes too long to send a request or to read a response. The time that
/// Waymark needs for the response does not count.
final class SlowClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time limits for a client. A client that is slow at every step of its first request is disconnected after 30
    /// seconds.
    private enum Limits {
        /// The time from opening the connection to the end of the first request head.
        static let headTime = TimeAmount.seconds(10)
        /// The time from the end of a request head to the end of its body. It is the API's limit plus 2 seconds in
        /// which the client can receive the error.
        static let bodyTime = TimeAmount.seconds(20)
        /// The time from a response to the end of the next request head.
        static let idleTime = TimeAmount.seconds(30)
        /// The time in which the client must close the connection after the last response.
        static let lingeringTime = TimeAmount.seconds(2)
    }

    private let deadline = ConnectionDeadline()
    private let expirations = Counter(label: "waymark_http_connections_expired_total")
    /// The number of requests whose head has arrived and whose response is incomplete.
    private var requests = 0
    private var isReceiving = false
    /// True if the current response is the last one of the connection. Further input is discarded.
    private var isEnding = false

    func handlerAdded(context: ChannelHandlerContext) {
        let expirations = expirations
        try? context.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: SlowReaderHandler.sendBuffer)
        let reader = SlowReaderHandler(limits: .init()) { expirations.increment() }
        try? context.pipeline.syncOperations.addHandler(reader, position: .first)
        // The parser's output contains the HTTP version, so add the handler directly after the parser.
        if let parser = try? context.pipeline.syncOperations.handler(
            type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        {
            try? context.pipeline.syncOperations.addHandler(OldVersionHandler(), position: .after(parser))
        }
        deadline.start { [weak self] in self?.expire(context: context) }
        deadline.set(Limits.headTime, on: context.eventLoop)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline.stop()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        switch unwrapInboundIn(data) {
        case .head:
            requests += 1
            isReceiving = true
            deadline.set(Limits.bodyTime, on: context.eventLoop)
        case .body:
            break
        case .end:
            isReceiving = false
            deadline.clear()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isEnding = head.headerFields[.connection] == "close"
        case .body:
            break
        case .end where isEnding:
            context.writeAndFlush(data, promise: promise)
            return context.close(mode: .output, promise: lingering(context: context))
        case .end:
            requests -= 1
            // If the response is sent before the end of the request body, the client can use the remaining time to
            // finish the body.
            if requests == 0, !isReceiving { deadline.set(Limits.idleTime, on: context.eventLoop) }
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        context.close(mode: .output, promise: lingering(promise, context: context))
    }

    /// When our side of the connection is closed, gives the client a limited time to close its side.
    private func lingering(
        _ promise: EventLoopPromise<Void>? = nil, context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let closed = promise ?? context.eventLoop.makePromise()
        closed.futureResult.assumeIsolated().whenComplete { [deadline] _ in
            deadline.set(Limits.lingeringTime, on: context.eventLoop)
        }
        return closed
    }

    private func expire(context: ChannelHandlerContext) {
        if !isReceiving, context.channel.bytesWaiting > 0 {
            // The client is still reading responses. `SlowReaderHandler` limits this time.
            return deadline.set(Limits.idleTime, on: context.eventLoop)
        }
        expirations.increment()
        context.close(promise: nil)
    }
}
