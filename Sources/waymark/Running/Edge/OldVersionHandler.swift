import NIOCore
import NIOHTTP1

/// Responds with 400 to an HTTP/1.0 request with a transfer coding, and closes the connection. HTTP/1.0 has no transfer
/// codings, so a proxy could find a different end of the body (RFC 9112, section 6.1).
final class OldVersionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), head.version == .http1_0,
            head.headers.contains(name: "Transfer-Encoding")
        {
            isRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidVersion)
        }
        context.fireChannelRead(data)
    }
}
