import AASA
import HTTPTypes
import ProblemDetails
import Storage
import StrictJSON

/// An error of a request, returned as `application/problem+json` (RFC 9457).
struct APIError: Error, Sendable {
    let status: HTTPResponse.Status
    /// A stable code for programs.
    let code: String
    /// The error message: the problem and the remedy.
    let detail: String
    /// All faults of the request body, each with its JSON Pointer.
    var faults: [JSONFault] = []
    /// Additional members that this kind of problem has.
    var extras: [(String, JSONValue)] = []
    var fields: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// Returns the same problem with an additional member.
    func with(_ name: String, _ value: JSONValue) -> APIError {
        var copy = self
        copy.extras.append((name, value))
        return copy
    }

    /// Returns the same problem with an additional header field.
    func with(_ name: HTTPField.Name, _ value: String) -> APIError {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// The same problem, but the connection is closed after it. The end of such a request is uncertain, so the bytes
    /// after it could be misread as another request.
    var endingConnection: APIError { with(.connection, "close") }

    func answer(requestID: String) -> Answer {
        var problem = ProblemDetails(
            status: status.code, title: status.reasonPhrase, code: code, detail: detail)
        problem.set("requestId", .string(requestID))
        if !faults.isEmpty { problem.set("errors", .array(faults.map(\.json))) }
        for (name, value) in extras { problem.set(name, value) }
        var fields = fields
        fields[.contentType] = ProblemDetails.mediaType
        fields[.cacheControl] = "no-store"
        return Answer(status, fields: fields, body: problem.bytes())
    }
}

extension JSONFault {
    var json: JSONValue {
        ["pointer": .string(pointer.description), "code": .string(code), "detail": .string(detail)]
    }
}

/// The problems that the API itself detects, without the database.
extension APIError {
    static func notFound(_ kind: String, _ key: String) -> APIError {
        APIError(.notFound, "not_found", "There is no \(kind) \(key).")
    }

    static func nothingLive(_ host: Host) -> APIError {
        APIError(.conflict, "nothing_live", "Nothing is live on \(host) yet.")
    }

    static let noSuchPath = APIError(
        .notFound, "not_found", "Unknown path. GET /v1/openapi.json lists every path.")

    static func methodNotAllowed(_ allowed: String) -> APIError {
        APIError(.methodNotAllowed, "method_not_allowed", "This path accepts only \(allowed).").with(.allow, allowed)
    }

    static func unauthenticated(_ detail: String) -> APIError {
        APIError(.unauthorized, "unauthenticated", detail).with(.wwwAuthenticate, "Bearer")
    }

    /// The `Authorization` field has another scheme. The message contains at most the name of the scheme, because the
    /// rest may be a secret.
    static func otherScheme(_ authorization: String) -> APIError {
        let scheme = authorization.contains(" ") ? authorization.prefix { $0 != " " }.prefix(20) : ""
        let sent =
            ["basic", "digest", "negotiate"].contains(scheme.lowercased())
            ? " The request has \(scheme) credentials." : ""
        return unauthenticated("A bearer token is required.\(sent) Send `Authorization: Bearer wm_…`.")
    }

    static func forbidden(needed: Role, has: Role) -> APIError {
        APIError(.forbidden, "forbidden", "This requires the role \(needed) in the organization; yours is \(has).")
    }

    /// The caller's role can use the route, but the change affects items that require a higher role. The message lists
    /// at most five reasons.
    static func forbidden(needed: Role, has: Role, because reasons: [String]) -> APIError {
        let more = reasons.count > 5 ? "; and \(reasons.count - 5) more" : ""
        return APIError(
            .forbidden, "role_needed",
            "This requires the role \(needed) in the organization; yours is \(has). Reason: "
                + "\(reasons.prefix(5).joined(separator: "; "))\(more)."
        ).with("role", .string(needed.rawValue))
    }

    /// A token must not be able to make itself permanent, so only people manage tokens and members.
    static let sessionRequired = APIError(
        .forbidden, "session_required",
        "Only a signed-in person can do this, not a token. Use the dashboard.")

    /// Another person may use a browser that was left open.
    static let confirmationRequired = APIError(
        .forbidden, "confirmation_required",
        "This changes who has access. Confirm with your password first: POST /v1/session/confirmations.")

    static let secondFactorMissing = APIError(
        .forbidden, "second_factor_missing",
        "This organization requires a second factor. Set one up on the page \"Your account\".")

    static let sessionEnded = unauthenticated("Your session has ended. Sign in again.")

    static let invalidCode = APIError(
        .unauthorized, "invalid_code",
        "The sign-in link is unknown, already used or expired. Ask for a new one.")

    /// The text is the same for an unknown address, so that it does not reveal which addresses have accounts.
    static let invalidCredentials = APIError(
        .unauthorized, "invalid_credentials", "The address or the password is wrong.")

    static let crossOrigin = APIError(
        .forbidden, "cross_origin",
        "Changes with a session are accepted only from Waymark's own pages, at its own address. Use a token instead.")

    static let misdirected = APIError(
        .misdirectedRequest, "misdirected",
        "Waymark does not answer under this host. Use the address that is set as WAYMARK_PUBLIC_URL.")

    static let organizationRequired = APIError(
        .badRequest, "organization_required",
        "You belong to several organizations, or to none. Name one in the header Waymark-Organization.")

    static let preconditionRequired = APIError(
        .preconditionRequired, "precondition_required",
        "Send the ETag of the revision that you want to change as If-Match.")

    static func invalidPrecondition(_ header: String) -> APIError {
        APIError(
            .badRequest, "invalid_if_match",
            "If-Match must be * or one ETag as you received it, with quotation marks (\"7\"). It is \(header.prefix(100))."
        )
    }

    static func invalid(_ faults: [JSONFault]) -> APIError {
        var error = APIError(
            .unprocessableContent, "invalid",
            faults.count == 1
                ? "The request is not valid: \(sentence(faults[0]))"
                : "The request has \(faults.count) errors."
        )
        error.faults = faults
        return error
    }

    /// The fault's text as a sentence. Adds a period if it has no punctuation at the end.
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

    /// The cursor belongs to another list.
    static var foreignCursor: APIError { invalidParameter("cursor", "must be the `next` of an earlier answer") }

    /// A query parameter is unknown. If it were ignored, a misspelled parameter would return the wrong results.
    static func unknownParameter(_ name: String, known: [String]) -> APIError {
        let hint = NearestName.of(name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let all = known.map { "`\($0)`" }.joined(separator: ", ")
        return APIError(
            .badRequest, "unknown_parameter",
            "Unknown query parameter `\(name.prefix(100))`.\(hint) "
                + (known.isEmpty ? "This path has no query parameters." : "Accepted: \(all)."))
    }

    /// A query parameter appears more than once. If one value were ignored, the client would not notice.
    static func repeatedParameter(_ name: String) -> APIError {
        APIError(
            .badRequest, "repeated_parameter",
            "The query parameter `\(name.prefix(100))` appears more than once. Send it once.")
    }

    /// Returns the same problem with the address of the existing item.
    func naming(existing address: String) -> APIError { with("existing", .string(address)) }

    static func unsupportedMediaType(_ sent: String, wanted: String) -> APIError {
        APIError(
            .unsupportedMediaType, "unsupported_media_type",
            "The media type \(sent.prefix(100)) is not supported. Send the body with "
                + "`Content-Type: \(wanted)`, as `curl --json` does.")
    }

    static func malformedJSON(_ error: JSONError) -> APIError {
        APIError(
            .badRequest, "malformed_json",
            "The body is not valid JSON: line \(error.position.line), column \(error.position.column): "
                + "\(error.message).")
    }

    private static func tooMany(_ detail: String) -> APIError {
        APIError(.tooManyRequests, "too_many_requests", detail).with(.retryAfter, "1")
    }

    static let tooManyRequests = tooMany(
        "You or your organization have too many requests waiting. Try again in a moment, with fewer at a time.")

    static let tooManyWatching = tooMany(
        "You or your organization have too many requests with `wait`. End some of them, or ask without `wait`.")

    static let tooManyBytes = tooMany(
        "Too many large bodies are being received. Try again in a moment, with fewer at a time.")

    static func tooLarge(_ limit: Int) -> APIError {
        APIError(.contentTooLarge, "too_large", "The body may have at most \(limit) bytes.")
    }
}
