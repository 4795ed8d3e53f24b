import HTTPTypes
import Metrics
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Serving

/// One connection of the API: ends it when the client takes too long over a request or an answer.
///
/// How long Waymark itself takes is no concern of this handler: while it works on an answer, no time runs.
final class SlowClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What a client may take. One that goes slowly at every step of its first request is gone after 30 seconds.
    private enum Limits {
        /// From the connection to the end of the first head.
        static let headTime = TimeAmount.seconds(10)
        /// From the end of a head to the end of its body: the time in which the API wants to have it, and 2 seconds in
        /// which the client learns that it was too slow.
        static let bodyTime = TimeAmount.seconds(20)
        /// From an answer to the end of the next head.
        static let idleTime = TimeAmount.seconds(30)
        /// For a client to close after the last answer.
        static let lingeringTime = TimeAmount.seconds(2)
    }

    private let deadline = ConnectionDeadline()
    private let expirations = Counter(label: "waymark_http_connections_expired_total")
    /// Requests whose head has come and whose answer is not complete.
    private var requests = 0
    private var isReceiving = false
    /// The answer that is being written is the connection's last; what still arrives is thrown away.
    private var isEnding = false

    func handlerAdded(context: ChannelHandlerContext) {
        let expirations = expirations
        try? context.channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: SlowReaderHandler.sendBuffer)
        let reader = SlowReaderHandler(limits: .init()) { expirations.increment() }
        try? context.pipeline.syncOperations.addHandler(reader, position: .first)
        // Versions are known to the parser alone.
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
            // Whoever has been answered before the end of the body has the rest of its time to end it.
            if requests == 0, !isReceiving { deadline.set(Limits.idleTime, on: context.eventLoop) }
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        context.close(mode: .output, promise: lingering(promise, context: context))
    }

    /// Once the sending half is closed, the client has a moment to close the other one.
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
            // It is still taking its answers, and that has a limit of its own.
            return deadline.set(Limits.idleTime, on: context.eventLoop)
        }
        expirations.increment()
        context.close(promise: nil)
    }
}
