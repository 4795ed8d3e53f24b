import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// Sends the request when the connection is ready, and collects the body of the answer.
final class BodyCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let url: FetchURL
    private let form: FetchForm?
    private let limit: Int
    private let body: EventLoopPromise<[UInt8]>
    private var bytes: [UInt8] = []
    /// True if the connection is encrypted, or does not need to be.
    private var isReady = false

    /// - Parameter form: What to post, or `nil` to get the address.
    init(url: FetchURL, posting form: FetchForm?, limit: Int, body: EventLoopPromise<[UInt8]>) {
        self.url = url
        self.form = form
        self.limit = limit
        self.body = body
    }

    func channelActive(context: ChannelHandlerContext) {
        // With TLS, the bytes wait in the TLS handler until the handshake has ended.
        isReady = !url.isSecure
        var head = HTTPRequestHead(
            version: .http1_1, method: form == nil ? .GET : .POST, uri: url.path.isEmpty ? "/" : url.path,
            headers: [
                "Host": url.hostField, "Accept": "application/json", "User-Agent": "Waymark", "Connection": "close",
            ])
        if let form {
            head.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            head.headers.add(name: "Content-Length", value: String(form.body.utf8.count))
            if let authorization = form.authorization { head.headers.add(name: "Authorization", value: authorization) }
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let form {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: form.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { isReady = true }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): judge(head)
        case .body(let part):
            guard bytes.count + part.readableBytes <= limit else { return body.fail(FetchError.tooLarge(limit: limit)) }
            bytes.append(contentsOf: part.readableBytesView)
        case .end: body.succeed(bytes)
        }
    }

    private func judge(_ head: HTTPResponseHead) {
        let length = head.headers.first(name: "Content-Length").flatMap(Int.init) ?? 0
        switch Int(head.status.code) {
        case 200 where length > limit: body.fail(FetchError.tooLarge(limit: limit))
        case 200 where head.headers.contains { $0.name.lowercased() == "content-encoding" && $0.value != "identity" }:
            body.fail(FetchError.compressed)
        case 200: break
        case 300..<400: body.fail(FetchError.redirect(status: Int(head.status.code)))
        case let status: body.fail(FetchError.status(status))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error after the handshake is one of the answer: some servers end TLS connections without a goodbye.
        switch error {
        case is HTTPParserError: body.fail(FetchError.malformed)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            body.fail(isReady ? FetchError.noConnection : FetchError.handshakeFailed)
        default: body.fail(FetchError.noConnection)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        body.fail(isReady ? FetchError.noConnection : FetchError.handshakeFailed)
        context.fireChannelInactive()
    }
}
