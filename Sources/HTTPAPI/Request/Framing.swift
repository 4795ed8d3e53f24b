import HTTPTypes

/// Checks the format of a request before its route is looked up.
enum Framing {
    /// The maximum length of a request's target, in bytes.
    static let targetLimit = 8_192

    /// Checks three parts of a request. It must have one well-formed `Host` (RFC 9112, section 3.2; otherwise 400). Its
    /// target must be a path within the length limit. Its body must have a length or be chunked (RFC 9112, section 6.1;
    /// another coding returns 501).
    static func check(_ request: HTTPRequest) throws {
        let target = (request.path ?? "").utf8
        guard target.count <= targetLimit else {
            throw APIError(.uriTooLong, "uri_too_long", "The URL is too long. The limit is \(targetLimit) bytes.")
                .endingConnection
        }
        guard let host = request.authority, !host.isEmpty, request.headerFields[.hostField] == nil,
            isHost(host.utf8)
        else {
            throw APIError(
                .badRequest, "bad_host",
                "The request must have exactly one Host field, with a host and optionally a port."
            )
            .endingConnection
        }
        guard target.first == UInt8(ascii: "/") || target.elementsEqual("*".utf8) else {
            throw APIError(.badRequest, "malformed_request", "The request's target must be a path, not a full URL.")
                .endingConnection
        }
        // The router ignores empty path segments. So `//v1/x` would reach `/v1/x` even if a proxy in front of the API
        // blocks that path.
        guard !hasEmptyPart(target) else {
            throw APIError(.badRequest, "malformed_request", "The path must not have two slashes in a row.")
                .endingConnection
        }
        guard (request.headerFields[.transferEncoding] ?? "chunked").lowercased() == "chunked" else {
            throw APIError(
                .notImplemented, "unsupported_coding", "The only supported transfer coding is `chunked`."
            )
            .endingConnection
        }
    }

    private static func hasEmptyPart(_ target: String.UTF8View) -> Bool {
        let path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return zip(path, path.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") }
    }

    /// True if a text is a name or an IP address, optionally with a colon and a port. The port may be empty.
    static func isHost(_ text: String.UTF8View) -> Bool {
        let name = text.first == UInt8(ascii: "[") ? text.firstIndex(of: UInt8(ascii: "]")) : text.startIndex
        guard let name, text.allSatisfy(isAllowed) else { return false }
        guard let colon = text[name...].firstIndex(of: UInt8(ascii: ":")) else { return true }
        let port = text[colon...].dropFirst()
        return port.count <= 5 && port.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// True if the byte can occur in a name, an IP address or a port.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || (0x41...0x5B).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5D, 0x5F].contains(byte)
    }
}
