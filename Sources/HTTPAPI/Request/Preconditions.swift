import HTTPTypes

/// Preconditions with ETags (RFC 9110, section 13). A draft and everything in it have the draft's revision as their
/// ETag.
enum Preconditions {
    static func tag(_ revision: Int) -> String { "\"\(revision)\"" }

    /// The revision in `If-Match`, or `nil` for `*`.
    /// - Throws: 428 `precondition_required` if the field is missing.
    static func requiredRevision(_ request: HTTPRequest) throws -> Int? {
        guard request.headerFields[.ifMatch] != nil else { throw APIError.preconditionRequired }
        return try revision(request)
    }

    /// The revision in `If-Match`, or `nil` for `*` or a missing field. A tag that Waymark did not create becomes -1,
    /// which matches no revision.
    /// - Throws: 400 `invalid_if_match` unless the field has one strong tag. Another value could never match, so this
    ///   reports an error instead of advising the client to reload.
    static func revision(_ request: HTTPRequest) throws -> Int? {
        guard let header = request.headerFields[.ifMatch] else { return nil }
        if header == "*" { return nil }
        let opaque = header.dropFirst().dropLast()
        guard header == "\"\(opaque)\"", !opaque.contains("\"") else { throw APIError.invalidPrecondition(header) }
        guard let revision = Int(opaque), tag(revision) == header else { return -1 }
        return revision
    }

    /// True if `If-None-Match` contains this tag. The response is then 304.
    static func isKnown(_ tag: String, _ request: HTTPRequest) -> Bool {
        request.headerFields[.ifNoneMatch] == "*" || knownTags(request).contains(tag)
    }

    /// The tags in `If-None-Match`, without `W/`, because weak comparison ignores it (RFC 9110, section 13.1.2).
    static func knownTags(_ request: HTTPRequest) -> [String] {
        guard let header = request.headerFields[.ifNoneMatch] else { return [] }
        return header.split(separator: ",").map { candidate in
            let trimmed = candidate.drop { $0 == " " }
            return String(trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed)
        }
    }
}
