import HTTPTypes

/// What has to be right about a request before anybody looks at what it asks for.
enum Framing {
    /// Bytes of a request's target.
    static let targetLimit = 8_192

    /// One `Host`, well formed (RFC 9112, section 3.2: anything else is a 400), and a target of bounded length.
    static func check(_ request: HTTPRequest) throws {
        guard (request.path ?? "").utf8.count <= targetLimit else {
            throw APIError(.uriTooLong, "uri_too_long", "A URL may have at most \(targetLimit) bytes here.")
        }
        guard let host = request.authority, !host.isEmpty, request.headerFields[.hostField] == nil,
            host.utf8.allSatisfy(isAllowed)
        else {
            throw APIError(.badRequest, "bad_host", "A request needs exactly one Host field, with a host and a port.")
        }
    }

    /// Letters, digits and what names, IP addresses and ports consist of besides.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || (0x41...0x5B).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5D, 0x5F].contains(byte)
    }
}
