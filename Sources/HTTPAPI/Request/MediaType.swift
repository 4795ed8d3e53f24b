import HTTPTypes

/// The media types of bodies, as `Content-Type` names them (RFC 9110, section 8.3).
enum MediaType {
    /// What a route with a JSON body reads; any type that ends in `+json` too (RFC 6839, section 3.1).
    static let json = ["application/json", "text/json"]
    /// What a route with a suite of tests reads.
    static let suite = json + ["text/csv", "text/plain", "application/octet-stream"]

    /// Refuses a body that says to be of another type than those; one that says nothing is read as it is.
    ///
    /// - Throws: 415 `unsupported_media_type`, with the type that came and the one to send.
    static func require(_ types: [String], of request: HTTPRequest) throws {
        guard let field = request.headerFields[.contentType] else { return }
        let essence = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard !types.contains(essence), !essence.hasSuffix("+json") else { return }
        throw APIError.unsupportedMediaType(field, wanted: types[0])
    }
}
