package import StrictJSON

/// The reason why an HTTP request failed, as `application/problem+json` (RFC 9457).
package struct ProblemDetails: Sendable {
    /// The media type of ``bytes()``.
    package static let mediaType = "application/problem+json"

    /// The status code of the response.
    package let status: Int
    /// The reason phrase of the status.
    package let title: String
    /// A stable name for programs, in lower case with underscores. It is also the end of `type`.
    package let code: String
    /// The error message: the problem and the remedy.
    package let detail: String
    private var extensions: [(name: String, value: JSONValue)] = []

    /// Creates a problem with `code` as its only extension member.
    package init(status: Int, title: String, code: String, detail: String) {
        self.status = status
        self.title = title
        self.code = code
        self.detail = detail
    }

    /// Sets an extension member (RFC 9457, section 3.2). If a name is set again, the last value is used.
    package mutating func set(_ name: String, _ value: JSONValue) {
        extensions.append((name, value))
    }

    /// The response body.
    package func bytes() -> [UInt8] {
        var object = JSONObject([
            ("type", .string("urn:waymark:problem:\(code)")),
            ("title", .string(title)),
            ("status", .int(status)),
            ("code", .string(code)),
            ("detail", .string(detail)),
        ])
        for (name, value) in extensions { object[name] = value }
        return JSONValue.object(object).bytes()
    }
}
