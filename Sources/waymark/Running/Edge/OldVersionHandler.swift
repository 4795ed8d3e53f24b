import NIOCore
import NIOHTTP1

/// Refuses a request of HTTP/1.0 with a transfer coding: such a client knows none, and who stands between may have taken
/// its body to end elsewhere (RFC 9112, section 6.1). It is answered as what is malformed is, with a 400, and its
/// connection ends.
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
