import HTTPTypes

/// The ETag of everything under a draft is the draft's revision (RFC 9110, section 13).
enum Preconditions {
    static func tag(_ revision: Int) -> String { "\"\(revision)\"" }

    /// The revision that the caller has seen, from `If-Match`; required: 428 without.
    static func requiredRevision(_ request: HTTPRequest) throws -> Int? {
        guard request.headerFields[.ifMatch] != nil else { throw APIError.preconditionRequired }
        return try revision(request)
    }

    /// The revision that the caller has seen, where it says so; `*` is any. A tag that is none of ours matches nothing;
    /// what is not one strong tag never can, so that reading again would not help: 400.
    static func revision(_ request: HTTPRequest) throws -> Int? {
        guard let header = request.headerFields[.ifMatch] else { return nil }
        if header == "*" { return nil }
        let opaque = header.dropFirst().dropLast()
        guard header == "\"\(opaque)\"", !opaque.contains("\"") else { throw APIError.invalidPrecondition(header) }
        guard let revision = Int(opaque), tag(revision) == header else { return -1 }
        return revision
    }

    /// Whether `If-None-Match` names this tag: the answer is then 304.
    static func isKnown(_ tag: String, _ request: HTTPRequest) -> Bool {
        request.headerFields[.ifNoneMatch] == "*" || knownTags(request).contains(tag)
    }

    /// The tags in `If-None-Match`; weak ones count as strong, because the comparison is a weak one.
    static func knownTags(_ request: HTTPRequest) -> [String] {
        guard let header = request.headerFields[.ifNoneMatch] else { return [] }
        return header.split(separator: ",").map { candidate in
            let trimmed = candidate.drop { $0 == " " }
            return String(trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed)
        }
    }
}
