public import ObjectStore
import Snapshot
import Storage

/// A bucket to which Waymark pushes files, with its settings.
public struct PushedBucket: Sendable {
    /// The display name, 1 to 63 characters.
    public let name: String
    /// The bucket's address, including the prefix. A different address counts as a different bucket.
    public let address: String
    /// The bucket in the object store.
    public let bucket: Bucket
    /// The beginning of every key, before the host.
    public let prefix: String
    /// The `Cache-Control` header of every file.
    public let cacheControl: String
    /// The interval between comparisons of the whole bucket, in seconds.
    public let comparisonSeconds: Int

    /// Creates a bucket.
    public init(
        name: String, address: String, bucket: Bucket, prefix: String, cacheControl: String, comparisonSeconds: Int
    ) {
        self.name = name
        self.address = address
        self.bucket = bucket
        self.prefix = prefix
        self.cacheControl = cacheControl
        self.comparisonSeconds = comparisonSeconds
    }

    /// The key of an object.
    func key(_ object: SinkObject) -> String { prefix + object.host + object.path }

    /// The host and path of a key, or `nil` if the key has another form.
    func place(ofKey key: String) -> (host: String, path: String)? {
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let slash = rest.firstIndex(of: "/"), SinkObject.paths.contains(String(rest[slash...])) else {
            return nil
        }
        return (String(rest[..<slash]), String(rest[slash...]))
    }

    /// The content that an object must have: the bytes, with the activation and version as metadata.
    func content(_ bytes: [UInt8], activation: Int64, version: Int) -> ObjectContent {
        ObjectContent(
            bytes: bytes, contentType: "application/json", cacheControl: cacheControl,
            metadata: [
                Self.activation: String(activation), "waymark-version": String(version),
                "waymark-sha256": ContentHash(of: bytes).hex,
            ])
    }

    /// The activation in an object's metadata, or `nil` if Waymark did not write the object.
    static func activation(of object: StoredObject) -> Int64? {
        object.metadata[activation].flatMap { Int64($0) }
    }

    /// The names of the parts in which an object differs from its desired state. Empty if it does not differ.
    static func differences(_ found: StoredObject?, from wanted: ObjectContent?) -> [String] {
        guard let wanted else { return found == nil ? [] : ["present"] }
        guard let found else { return ["missing"] }
        var differences: [String] = []
        if found.bytes != wanted.bytes { differences.append("bytes") }
        if found.contentType != wanted.contentType { differences.append("contentType") }
        if found.cacheControl != wanted.cacheControl { differences.append("cacheControl") }
        if found.metadata != wanted.metadata { differences.append("metadata") }
        return differences + found.otherHeaders.map { "\($0)" }
    }

    private static let activation = "waymark-activation"
}
