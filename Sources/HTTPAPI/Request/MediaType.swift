import HTTPTypes

/// The media types in the `Content-Type` of request bodies (RFC 9110, section 8.3).
enum MediaType {
    /// The types of JSON bodies. Types that end in `+json` are accepted too (RFC 6839, section 3.1).
    static let json = ["application/json", "text/json"]
    /// The types of test suites.
    static let suite = json + ["text/csv", "text/plain", "application/octet-stream"]

    /// Checks that the body has one of these types. A body without a type is accepted.
    ///
    /// - Throws: 415 `unsupported_media_type`, with the received type and the expected types.
    static func require(_ types: [String], of request: HTTPRequest) throws {
        guard let field = request.headerFields[.contentType] else { return }
        let essence = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard !types.contains(essence), !essence.hasSuffix("+json") else { return }
        throw APIError.unsupportedMediaType(field, wanted: types[0])
    }
}
