/// What shall be at a key.
public struct ObjectContent: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// `Content-Type`.
    public let contentType: String
    /// `Cache-Control`.
    public let cacheControl: String
    /// The user's metadata: names in lower case, without `x-amz-meta-`.
    public let metadata: [String: String]

    /// Content.
    public init(bytes: [UInt8], contentType: String, cacheControl: String, metadata: [String: String]) {
        self.bytes = bytes
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.metadata = metadata
    }
}

/// What a bucket holds at a key.
public struct StoredObject: Hashable, Sendable {
    /// A header that a store keeps with an object, and that none is written with here. Each changes what a reader gets.
    public enum OtherHeader: String, Sendable, CaseIterable {
        case contentDisposition = "Content-Disposition"
        case contentEncoding = "Content-Encoding"
        case contentLanguage = "Content-Language"
        case expires = "Expires"
        /// Where the bucket is served as a website, it answers with a redirect to there.
        case websiteRedirectLocation = "x-amz-website-redirect-location"
    }

    /// The bytes; `nil` where there are more than `Bucket.largestObject`.
    public let bytes: [UInt8]?
    /// `Content-Type`.
    public let contentType: String?
    /// `Cache-Control`.
    public let cacheControl: String?
    /// The user's metadata: names in lower case, without `x-amz-meta-`.
    public let metadata: [String: String]
    /// Which other headers it has.
    public let otherHeaders: [OtherHeader]
    /// The entity tag as it was sent, with its quotes. What it is made of is the store's affair.
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

/// A page of the list of a bucket's keys.
public struct ObjectListing: Hashable, Sendable {
    /// A key of the list.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public let key: String
        /// Tag and time of the last write in the words of the store: another write changes them.
        public let mark: String
    }

    /// The keys, in the order of their bytes.
    public let entries: [Entry]
    /// Asks for the next page; `nil` after the last one.
    public let next: String?
}
