internal import Metrics
internal import NIOCore
internal import NIOHTTP1
internal import Timing

/// Handles a connection of the edge. It receives requests from SwiftNIO's parser and writes prepared bytes.
///
/// The handler writes each response completely when the request has ended, so responses to pipelined requests stay in
/// order. It flushes only after all received data has been read, so that several responses share system calls.
final class EdgeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private enum State {
        case betweenRequests
        case receiving
        /// The last response has been written. Further input is discarded.
        case closing
    }

    private let loop: EdgeLoop
    private let admitted: Bool
    private let deadline = ConnectionDeadline()
    private var state = State.betweenRequests
    /// The request being received. It is not part of `state`, so that it is never copied.
    private var request: (head: HTTPRequestHead, fields: RequestFields)?
    private var bodySize = 0
    private var hasUnflushed = false
    private var isQuiescing = false
    private var isInputClosed = false
    private var isOutputDone = false

    /// - Parameter admitted: False if the connection is above the limit. It then gets an error and is closed.
    init(loop: EdgeLoop, admitted: Bool) {
        self.loop = loop
        self.admitted = admitted
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline.start { [weak self] in self?.expired(context: context) }
        deadline.set(loop.limits.headTimeout, on: context.eventLoop)
        if !admitted { finish(with: .tooManyConnections, context: context) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline.stop()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (_, .closing):
            break
        case (.head(let head), _):
            begin(head, context: context)
        case (.body(let part), .receiving):
            bodySize += part.readableBytes
            if bodySize > loop.limits.largestBody { finish(with: .bodyTooLarge, context: context) }
        case (.end, .receiving):
            if let request = request.take() { answer(request.head, request.fields, closing: false, context: context) }
        case (.body, .betweenRequests), (.end, .betweenRequests):
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasUnflushed {
            hasUnflushed = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            // A request may be arriving on an idle connection. Wait a short time for it. Its response is the last one.
            if case .betweenRequests = state { deadline.set(loop.limits.quiescingTime, on: context.eventLoop) }
        case ChannelEvent.inputClosed:
            inputClosed(context: context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .closing = state { return }
        switch error {
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
            context.close(promise: nil)
        case HTTPParserError.headerOverflow:
            finish(with: .headTooLarge, context: context)
        case HTTPParserError.invalidVersion:
            finish(with: .unsupportedVersion, context: context)
        case is HTTPParserError, is ByteToMessageDecoderError:
            finish(with: .malformedRequest, context: context)
        default:
            context.close(promise: nil)
        }
    }

    private func begin(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        let fields = RequestFields(head.headers)
        if let fault = fields.framingFault(of: head.version) { return finish(with: fault, context: context) }
        state = .receiving
        bodySize = 0
        deadline.set(loop.limits.bodyTimeout, on: context.eventLoop)
        // RFC 9110 section 10.1.1: a client that waits for a 100 may get the final response instead. The edge sends it,
        // because it does not need the body.
        if fields.hasExpectation { return answer(head, fields, closing: true, context: context) }
        request = (head, fields)
    }

    private func answer(
        _ head: HTTPRequestHead, _ fields: RequestFields, closing: Bool, context: ChannelHandlerContext
    ) {
        let start = MonotonicInstant.now
        let answer = loop.responder.answer(
            head, fields: fields, peer: context.remoteAddress, table: loop.currentTable
        ) { host, version in loop.countFetch(host, version: version, client: fields.client) }
        // SwiftNIO's parser stops at a protocol upgrade, so no request can follow it.
        let isLast =
            closing || isQuiescing || fields.hasUpgrade || head.method == .CONNECT || !head.isKeepAlive
            || answer.endsConnection
        let persistent: ResponseConnection = head.version.minor == 0 ? .persistentByRequest : .persistent
        send(answer, withBody: head.method != .HEAD, connection: isLast ? .closing : persistent, context: context)
        loop.metrics.duration.recordNanoseconds(MonotonicInstant.now.since(start).wholeNanoseconds)
        if isLast { return }
        state = .betweenRequests
        deadline.set(loop.limits.idleTimeout, on: context.eventLoop)
    }

    private func finish(with problem: EdgeError, context: ChannelHandlerContext) {
        send(.problem(problem), withBody: true, connection: .closing, context: context)
    }

    private func send(
        _ answer: WellKnownResponder.Answer, withBody: Bool, connection: ResponseConnection,
        context: ChannelHandlerContext
    ) {
        loop.count(answer)
        let (first, second) = loop.response(
            answer, withBody: withBody, connection: connection, allocator: context.channel.allocator)
        context.write(wrapOutboundOut(first), promise: nil)
        if let second { context.write(wrapOutboundOut(second), promise: nil) }
        hasUnflushed = true
        if connection == .closing { close(context: context) }
    }

    /// Closes the connection after all data was sent. It closes the sending side first. It closes the rest when the
    /// client has closed too, or after a time limit. If both sides were closed while the client is still sending, the
    /// system would drop the response (RFC 9112 section 9.6).
    private func close(context: ChannelHandlerContext) {
        state = .closing
        hasUnflushed = false
        deadline.clear()
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { [self] _ in
            isOutputDone = true
            guard !isInputClosed else { return context.close(promise: nil) }
            deadline.set(loop.limits.lingeringTime, on: context.eventLoop)
            context.close(mode: .output, promise: nil)
        }
    }

    private func inputClosed(context: ChannelHandlerContext) {
        isInputClosed = true
        if case .closing = state {
            if isOutputDone { context.close(promise: nil) }
        } else {
            close(context: context)
        }
    }

    private func expired(context: ChannelHandlerContext) {
        if case .betweenRequests = state, context.channel.bytesWaiting > 0 {
            // The client is still reading responses. `SlowReaderHandler` limits this time.
            return deadline.set(loop.limits.idleTimeout, on: context.eventLoop)
        }
        loop.metrics.expired.increment()
        if case .receiving = state, context.channel.isWritable {
            finish(with: .requestTimeout, context: context)
        } else {
            context.close(promise: nil)
        }
    }
}
