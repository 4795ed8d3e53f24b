/// Reads the few elements of S3's XML that Waymark needs. In this XML, elements with the same name are never nested.
struct ListingReader {
    private let text: Substring

    init(_ bytes: [UInt8]) { text = Substring(decoding: bytes, as: UTF8.self) }

    private init(_ text: Substring) { self.text = text }

    /// A page of a listing, or `nil` if the bytes are not a listing.
    func listing() -> ObjectListing? {
        guard text.contains("<ListBucketResult"), let isTruncated = value("IsTruncated") else { return nil }
        var entries: [ObjectListing.Entry] = []
        for element in all("Contents") {
            guard let key = element.value("Key"), let etag = element.value("ETag"),
                let time = element.value("LastModified")
            else { return nil }
            entries.append(ObjectListing.Entry(key: key, mark: "\(etag) \(time)"))
        }
        if isTruncated == "false" { return ObjectListing(entries: entries, next: nil) }
        guard let next = value("NextContinuationToken"), !next.isEmpty else { return nil }
        return ObjectListing(entries: entries, next: next)
    }

    /// The text of the first element with this name.
    func value(_ name: String) -> String? { all(name, atMost: 1).first.map { Self.unescaped($0.text) } }

    private func all(_ name: String, atMost limit: Int = .max) -> [ListingReader] {
        var found: [ListingReader] = []
        var rest = text
        while found.count < limit, let start = rest.firstRange(of: "<\(name)>") {
            guard let end = rest[start.upperBound...].firstRange(of: "</\(name)>") else { break }
            found.append(ListingReader(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        // Replace the ampersand last, so that its result is not unescaped again.
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
            .replacing("&amp;", with: "&")
    }
}
