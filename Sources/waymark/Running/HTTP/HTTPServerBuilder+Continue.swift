import HTTPTypes
import HummingbirdCore

extension HTTPServerBuilder {
    /// Creates an HTTP/1.1 server. It sends a 100 response to clients that wait for one before they send the body (RFC
    /// 9110, section 10.1.1).
    static func continuing(_ configuration: HTTP1Channel.Configuration) -> HTTPServerBuilder {
        HTTPServerBuilder { respond in
            HTTP1Channel(
                responder: { request, writer, channel in
                    if request.headers[.expect]?.lowercased() == "100-continue" {
                        try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                    }
                    try await respond(request, writer, channel)
                }, configuration: configuration)
        }
    }
}
