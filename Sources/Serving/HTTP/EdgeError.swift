internal import ProblemDetails

/// The reasons why the edge responds with an error instead of a file.
enum EdgeError: String, Sendable, CaseIterable {
    case malformedRequest = "malformed_request"
    case malformedHost = "malformed_host"
    case headTooLarge = "head_too_large"
    case urlTooLong = "url_too_long"
    case bodyTooLarge = "body_too_large"
    case requestTimeout = "request_timeout"
    case unsupportedVersion = "unsupported_version"
    case unsupportedCoding = "unsupported_coding"
    case unknownPath = "unknown_path"
    case unknownHost = "unknown_host"
    case methodNotAllowed = "method_not_allowed"
    case notReady = "not_ready"
    case fileUnavailable = "file_unavailable"
    case tooManyConnections = "too_many_connections"

    var status: Int {
        switch self {
        case .malformedRequest, .malformedHost: 400
        case .unknownPath, .unknownHost: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .bodyTooLarge: 413
        case .urlTooLong: 414
        case .headTooLarge: 431
        case .unsupportedCoding: 501
        case .notReady, .fileUnavailable, .tooManyConnections: 503
        case .unsupportedVersion: 505
        }
    }

    var reason: String {
        switch status {
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 505: "HTTP Version Not Supported"
        default: "Service Unavailable"
        }
    }

    var detail: String {
        switch self {
        case .malformedRequest: "The request is not well-formed HTTP/1.1."
        case .malformedHost: "The request must have exactly one valid host."
        case .headTooLarge: "The header fields are too large."
        case .urlTooLong: "The URL is too long."
        case .bodyTooLarge: "The body is too large."
        case .requestTimeout: "The request took too long to arrive."
        case .unsupportedVersion: "Only HTTP/1.0 and HTTP/1.1 are supported."
        case .unsupportedCoding: "The only supported transfer coding is chunked."
        case .unknownPath: "Only the association file is served here."
        case .unknownHost: "No association file is published for this host."
        case .methodNotAllowed: "Only GET and HEAD are allowed."
        case .notReady: "No snapshot has been loaded yet."
        case .fileUnavailable: "The file of this host is currently not available."
        case .tooManyConnections: "There are too many connections."
        }
    }

    /// The response's header fields and body, prepared once for each error.
    var response: Response { Self.responses[self] ?? makeResponse() }

    struct Response: Sendable {
        /// The header fields, each with its line end. They forbid caching.
        let fields: String
        let body: [UInt8]
    }

    private static let responses = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeResponse()) })

    private func makeResponse() -> Response {
        let body = ProblemDetails(status: status, title: reason, code: rawValue, detail: detail).bytes()
        var fields = "Content-Type: \(ProblemDetails.mediaType)\r\nContent-Length: \(body.count)\r\n"
        fields += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        if status == 405 { fields += "Allow: GET, HEAD\r\n" }
        if status == 503 { fields += "Retry-After: 5\r\n" }
        return Response(fields: fields, body: body)
    }
}
