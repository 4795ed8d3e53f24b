/// The parts of an http or https URL for comparison with rules, percent-encoded as Apple's URL parser writes them.
struct URLParts {
    /// The host in lower case, or `nil` for a relative URL.
    let host: String?
    /// The path as written. It may be empty.
    let path: [UInt8]
    /// The text after `?`, or `nil` if the URL has no query.
    let query: [UInt8]?
    /// The text after `#`, or `nil` if the URL has no fragment.
    let fragment: [UInt8]?

    /// Splits a URL and checks whether it can be a universal link. See ``URLSplit``.
    init(_ text: String) throws(Evaluation.Ineligibility) {
        let bytes = Array(text.utf8)
        let split: URLSplit
        do { split = try bytes.withUnsafeBufferPointer { url throws(URLFault) in try URLSplit(url) } } catch {
            throw error.ineligibility
        }
        func slice(_ part: URLSplit.Part) -> ArraySlice<UInt8> { bytes[part.offset..<part.offset + part.count] }
        // The host is converted to lower case [OBS].
        host = split.host.map { String(decoding: slice($0), as: UTF8.self).lowercased() }
        path = URLEncoding.repaired(slice(split.path), .path)
        query = split.query.map { URLEncoding.repaired(slice($0), .queryOrFragment) }
        fragment = split.fragment.map { URLEncoding.repaired(slice($0), .queryOrFragment) }
    }
}
