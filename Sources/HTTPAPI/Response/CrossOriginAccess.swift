import HTTPTypes

/// The origins whose pages may use the API (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). Their requests need
/// a token: browsers send no cookies, because no answer allows credentials.
struct CrossOriginAccess: Sendable {
    /// How long browsers keep the answer to a preflight request, in seconds.
    private static let maximumAge = 600
    /// The fields that pages of these origins may send.
    private static let requestFields = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Request-Id",
        "Waymark-Organization",
    ].joined(separator: ", ")
    /// The fields that pages of these origins can read.
    private static let responseFields = [
        "ETag", "Location", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy", "Request-Id", "Retry-After",
    ].joined(separator: ", ")

    let origins: Set<Origin>

    /// The answer to a preflight request, or `nil` for another request.
    func preflight(_ request: HTTPRequest) -> Answer? {
        guard request.method == .options, isAllowed(request),
            request.headerFields[.accessControlRequestMethod] != nil
        else { return nil }
        return Answer.noContent
            .with(.accessControlAllowMethods, "GET, POST, PUT, PATCH, DELETE")
            .with(.accessControlAllowHeaders, Self.requestFields)
            .with(.accessControlMaxAge, "\(Self.maximumAge)")
    }

    /// Adds the fields that let a page read the answer to its request.
    func allow(_ request: HTTPRequest, _ fields: inout HTTPFields) {
        guard !origins.isEmpty, isOfAPI(request) else { return }
        // Otherwise a cache could give the answer for one origin to another one.
        fields.append(HTTPField(name: .vary, value: "Origin"))
        guard isAllowed(request) else { return }
        fields[.accessControlAllowOrigin] = request.headerFields[.origin]
        fields[.accessControlExposeHeaders] = Self.responseFields
    }

    private func isAllowed(_ request: HTTPRequest) -> Bool {
        isOfAPI(request) && request.headerFields[.origin].flatMap(Origin.init).map(origins.contains) ?? false
    }

    private func isOfAPI(_ request: HTTPRequest) -> Bool { request.path?.hasPrefix("/v1/") ?? false }
}
