import HTTPTypes

/// What has to be right about a request before anybody looks at what it asks for.
enum Framing {
    /// Bytes of a request's target.
    static let targetLimit = 8_192

    /// One `Host`, well formed (RFC 9112, section 3.2: anything else is a 400), a target that is a path, of bounded
    /// length, and a body that is framed by its length or in chunks (RFC 9112, section 6.1: another coding is a 501).
    static func check(_ request: HTTPRequest) throws {
        let target = (request.path ?? "").utf8
        guard target.count <= targetLimit else {
            throw APIError(.uriTooLong, "uri_too_long", "A URL may have at most \(targetLimit) bytes here.")
                .endingConnection
        }
        guard let host = request.authority, !host.isEmpty, request.headerFields[.hostField] == nil,
            isHost(host.utf8)
        else {
            throw APIError(.badRequest, "bad_host", "A request needs exactly one Host field, with a host and a port.")
                .endingConnection
        }
        guard target.first == UInt8(ascii: "/") || target.elementsEqual("*".utf8) else {
            throw APIError(.badRequest, "malformed_request", "A request names a path here, and no other URL.")
                .endingConnection
        }
        // The router passes over empty parts: a proxy that closes a path would not know this one for the same.
        guard !hasEmptyPart(target) else {
            throw APIError(.badRequest, "malformed_request", "A path has no two slashes in a row here.")
                .endingConnection
        }
        guard (request.headerFields[.transferEncoding] ?? "chunked").lowercased() == "chunked" else {
            throw APIError(
                .notImplemented, "unsupported_coding", "Of the transfer codings only `chunked` is understood here."
            )
            .endingConnection
        }
    }

    private static func hasEmptyPart(_ target: String.UTF8View) -> Bool {
        let path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return zip(path, path.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") }
    }

    /// A name or an IP address, and behind a colon a port, which may be empty.
    static func isHost(_ text: String.UTF8View) -> Bool {
        let name = text.first == UInt8(ascii: "[") ? text.firstIndex(of: UInt8(ascii: "]")) : text.startIndex
        guard let name, text.allSatisfy(isAllowed) else { return false }
        guard let colon = text[name...].firstIndex(of: UInt8(ascii: ":")) else { return true }
        let port = text[colon...].dropFirst()
        return port.count <= 5 && port.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Letters, digits and what names, IP addresses and ports consist of besides.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || (0x41...0x5B).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5D, 0x5F].contains(byte)
    }
}
