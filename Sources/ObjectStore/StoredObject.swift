/// The content to write at a key.
public struct ObjectContent: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// `Content-Type`.
    public let contentType: String
    /// `Cache-Control`.
    public let cacheControl: String
    /// Custom metadata: names in lower case without `x-amz-meta-`, and their values.
    public let metadata: [String: String]

    /// Creates content.
    public init(bytes: [UInt8], contentType: String, cacheControl: String, metadata: [String: String]) {
        self.bytes = bytes
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.metadata = metadata
    }
}

/// An object in a bucket.
public struct StoredObject: Hashable, Sendable {
    /// A header that a store saves with an object and that Waymark never writes. Each one changes the response that
    /// readers get.
    public enum OtherHeader: String, Sendable, CaseIterable {
        case contentDisposition = "Content-Disposition"
        case contentEncoding = "Content-Encoding"
        case contentLanguage = "Content-Language"
        case expires = "Expires"
        /// A redirect to this location, if the bucket is served as a website.
        case websiteRedirectLocation = "x-amz-website-redirect-location"
    }

    /// The bytes, or `nil` if the object is larger than `Bucket.largestObject`.
    public let bytes: [UInt8]?
    /// `Content-Type`.
    public let contentType: String?
    /// `Cache-Control`.
    public let cacheControl: String?
    /// Custom metadata: names in lower case without `x-amz-meta-`, and their values.
    public let metadata: [String: String]
    /// The headers of the object that Waymark never writes.
    public let otherHeaders: [OtherHeader]
    /// The entity tag as sent, with its quotation marks. Its format depends on the store.
    public let etag: String

    init(_ headers: [(name: String, value: String)], bytes: [UInt8]?, etag: String) {
        let named = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { one, _ in one })
        let prefix = "x-amz-meta-"
        self.bytes = bytes
        contentType = named["content-type"]
        cacheControl = named["cache-control"]
        metadata = Dictionary(
            uniqueKeysWithValues: named.filter { $0.key.hasPrefix(prefix) }
                .map { (String($0.key.dropFirst(prefix.count)), $0.value) })
        otherHeaders = OtherHeader.allCases.filter { named[$0.rawValue.lowercased()]?.isEmpty == false }
        self.etag = etag
    }
}

/// A page of a listing of a bucket's keys.
public struct ObjectListing: Hashable, Sendable {
    /// An entry of the listing.
    public struct Entry: Hashable, Sendable {
        /// The object's key.
        public let key: String
        /// The store's tag and the time of the last write. Every write changes this text.
        public let mark: String
    }

    /// The entries, sorted by the bytes of their keys.
    public let entries: [Entry]
    /// The token for the next page, or `nil` after the last page.
    public let next: String?
}
