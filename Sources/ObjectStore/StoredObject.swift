/// What is, or shall be, at a key.
public struct ObjectContent: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// `Content-Type`.
    public let contentType: String?
    /// `Cache-Control`.
    public let cacheControl: String?
    /// The user's metadata: names in lower case, without `x-amz-meta-`.
    public let metadata: [String: String]

    /// Content.
    public init(bytes: [UInt8], contentType: String?, cacheControl: String?, metadata: [String: String]) {
        self.bytes = bytes
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.metadata = metadata
    }
}

/// What a bucket holds at a key.
public struct StoredObject: Hashable, Sendable {
    /// The content.
    public let content: ObjectContent
    /// The entity tag as it was sent, with its quotes. What it is made of is the store's affair.
    public let etag: String
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
