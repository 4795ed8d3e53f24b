import AASA
import HTTPTypes
import Storage
import StrictJSON

/// What went wrong, as `application/problem+json` (RFC 9457).
struct APIError: Error, Sendable {
    let status: HTTPResponse.Status
    /// Stable, for programs.
    let code: String
    /// In a sentence: what is wrong, and what to do.
    let detail: String
    /// All that is wrong with the body, each with its place.
    var faults: [JSONFault] = []
    /// Members that belong to this kind of problem.
    var extras: [(String, JSONValue)] = []
    var fields: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// The same problem with a member of its own.
    func with(_ name: String, _ value: JSONValue) -> APIError {
        var copy = self
        copy.extras.append((name, value))
        return copy
    }

    /// The same problem with a header field.
    func with(_ name: HTTPField.Name, _ value: String) -> APIError {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// The same problem as the connection's last answer: whoever sends a request like this may mean another one by what
    /// follows it.
    var endingConnection: APIError { with(.connection, "close") }

    func answer(requestID: String) -> Answer {
        var problem = JSONObject([
            ("type", .string("urn:waymark:problem:\(code)")),
            ("title", .string(status.reasonPhrase)),
            ("status", .int(status.code)),
            ("code", .string(code)),
            ("detail", .string(detail)),
            ("requestId", .string(requestID)),
        ])
        if !faults.isEmpty { problem["errors"] = .array(faults.map(\.json)) }
        for (name, value) in extras { problem[name] = value }
        var fields = fields
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        return Answer(status, fields: fields, body: JSONValue.object(problem).bytes())
    }
}

extension JSONFault {
    var json: JSONValue {
        ["pointer": .string(pointer.description), "code": .string(code), "detail": .string(detail)]
    }
}

/// The problems that the API itself finds.
extension APIError {
    static func notFound(_ kind: String, _ key: String) -> APIError {
        APIError(.notFound, "not_found", "There is no \(kind) \(key) here.")
    }

    static func nothingLive(_ host: Host) -> APIError {
        APIError(.conflict, "nothing_live", "Nothing is live on \(host) yet.")
    }

    static let noSuchPath = APIError(
        .notFound, "not_found", "There is nothing at this path. GET /v1/openapi.json describes all that there is.")

    static func methodNotAllowed(_ allowed: String) -> APIError {
        APIError(.methodNotAllowed, "method_not_allowed", "This path answers \(allowed).").with(.allow, allowed)
    }

    static func unauthenticated(_ detail: String) -> APIError {
        APIError(.unauthorized, "unauthenticated", detail).with(.wwwAuthenticate, "Bearer")
    }

    /// Credentials of a scheme such as Basic, of which only the name is repeated, and a bare token none of it.
    static func otherScheme(_ authorization: String) -> APIError {
        let scheme = authorization.contains(" ") ? authorization.prefix { $0 != " " }.prefix(20) : ""
        let sent = ["basic", "digest", "negotiate"].contains(scheme.lowercased()) ? " \(scheme) credentials came." : ""
        return unauthenticated("A bearer token is expected.\(sent) Send `Authorization: Bearer wm_…`.")
    }

    static func forbidden(needed: Role, has: Role) -> APIError {
        APIError(.forbidden, "forbidden", "This takes the role \(needed) in the organization; yours is \(has).")
    }

    /// The route is open to the role, and what it would touch as things are is not. Five of the reasons are told.
    static func forbidden(needed: Role, has: Role, because reasons: [String]) -> APIError {
        let more = reasons.count > 5 ? "; and \(reasons.count - 5) more" : ""
        return APIError(
            .forbidden, "role_needed",
            "This needs the role \(needed) in the organization, and yours is \(has), because "
                + "\(reasons.prefix(5).joined(separator: "; "))\(more)."
        ).with("role", .string(needed.rawValue))
    }

    static let crossOrigin = APIError(
        .forbidden, "cross_origin",
        "With a session, changes are accepted from Waymark's own pages only, at its own address. Use a token.")

    static let misdirected = APIError(
        .misdirectedRequest, "misdirected",
        "This host is not the address of this Waymark. Use the address that is set as WAYMARK_PUBLIC_URL.")

    static let organizationRequired = APIError(
        .badRequest, "organization_required",
        "You belong to several organizations, or to none: name one in the header Waymark-Organization.")

    static let preconditionRequired = APIError(
        .preconditionRequired, "precondition_required",
        "Say which revision you have seen: send the ETag as If-Match.")

    static func invalidPrecondition(_ header: String) -> APIError {
        APIError(
            .badRequest, "invalid_if_match",
            "If-Match has to be one ETag as it was received, with its quotation marks (\"7\"), or *: not \(header.prefix(100))."
        )
    }

    static func invalid(_ faults: [JSONFault]) -> APIError {
        var error = APIError(
            .unprocessableContent, "invalid",
            faults.count == 1 ? "The request is not valid: \(sentence(faults[0]))" : "\(faults.count) things are wrong."
        )
        error.faults = faults
        return error
    }

    /// The fault with a full stop, unless it ends as a sentence already, such as with a question.
    private static func sentence(_ fault: JSONFault) -> String {
        let text = fault.description
        return text.last.map { ".?!".contains($0) } ?? false ? text : text + "."
    }

    static func invalid(_ pointer: JSONPointer, _ code: String, _ detail: String) -> APIError {
        invalid([JSONFault(pointer: pointer, code: code, detail: detail)])
    }

    static func invalidParameter(_ name: String, _ detail: String) -> APIError {
        APIError(.unprocessableContent, "invalid_parameter", "The query parameter `\(name)` \(detail).")
    }

    /// A cursor that the list did not give.
    static var foreignCursor: APIError { invalidParameter("cursor", "has to be the `next` of an earlier answer") }

    /// A misspelled parameter that was passed over would answer another question than the one asked.
    static func unknownParameter(_ name: String, known: [String]) -> APIError {
        let hint = NearestName.of(name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let all = known.map { "`\($0)`" }.joined(separator: ", ")
        return APIError(
            .badRequest, "unknown_parameter",
            "There is no query parameter `\(name.prefix(100))` here.\(hint) "
                + (known.isEmpty ? "This takes none." : "These are taken: \(all)."))
    }

    /// Of two values one would be passed over, and nobody would know which.
    static func repeatedParameter(_ name: String) -> APIError {
        APIError(
            .badRequest, "repeated_parameter",
            "The query parameter `\(name.prefix(100))` appears more than once. Send it once.")
    }

    /// The same problem with the address of what exists already.
    func naming(existing address: String) -> APIError { with("existing", .string(address)) }

    static func unsupportedMediaType(_ sent: String, wanted: String) -> APIError {
        APIError(
            .unsupportedMediaType, "unsupported_media_type",
            "The body is sent as \(sent.prefix(100)), which is not read here. Send it with "
                + "`Content-Type: \(wanted)`, as `curl --json` does.")
    }

    static func malformedJSON(_ error: JSONError) -> APIError {
        APIError(
            .badRequest, "malformed_json",
            "The body is not JSON that is accepted here: line \(error.position.line), "
                + "column \(error.position.column): \(error.message).")
    }

    private static func tooMany(_ detail: String) -> APIError {
        APIError(.tooManyRequests, "too_many_requests", detail).with(.retryAfter, "1")
    }

    static let tooManyRequests = tooMany(
        "Too many requests of yours, or of your organization, are waiting already. Try again in a moment, with fewer at a "
            + "time.")

    static let tooManyWatching = tooMany(
        "Too many requests of yours, or of your organization, are waiting for something to happen (`wait`). End some of "
            + "them, or ask without `wait`.")

    static let tooManyBytes = tooMany(
        "Too many large bodies are being received at once. Try again in a moment, with fewer at a time.")

    static func tooLarge(_ limit: Int) -> APIError {
        APIError(.contentTooLarge, "too_large", "The body may have at most \(limit) bytes.")
    }
}
