public import ObjectStore
import Snapshot
import Storage

/// A bucket to which files are pushed, and how.
public struct PushedBucket: Sendable {
    /// Its name for people, 1 to 63 characters.
    public let name: String
    /// Where it is, the prefix included: at another address nothing is known of it.
    public let address: String
    /// The way to it.
    public let bucket: Bucket
    /// What stands before the host in every key.
    public let prefix: String
    /// The `Cache-Control` of every file.
    public let cacheControl: String
    /// How often all that it lists is compared, in seconds.
    public let comparisonSeconds: Int

    /// A bucket to push to.
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

    /// Where an object is.
    func key(_ object: SinkObject) -> String { prefix + object.host + object.path }

    /// The host and path of a key; `nil` for one that is not of this form.
    func place(ofKey key: String) -> (host: String, path: String)? {
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let slash = rest.firstIndex(of: "/"), SinkObject.paths.contains(String(rest[slash...])) else {
            return nil
        }
        return (String(rest[..<slash]), String(rest[slash...]))
    }

    /// What an object shall be: the bytes, and who made it so.
    func content(_ bytes: [UInt8], activation: Int64, version: Int) -> ObjectContent {
        ObjectContent(
            bytes: bytes, contentType: "application/json", cacheControl: cacheControl,
            metadata: [
                Self.activation: String(activation), "waymark-version": String(version),
                "waymark-sha256": ContentHash(of: bytes).hex,
            ])
    }

    /// The activation that an object says it shows; `nil` for one that was not written by Waymark.
    static func activation(of object: StoredObject) -> Int64? {
        object.metadata[activation].flatMap { Int64($0) }
    }

    /// In what an object differs from what it shall be; empty where it does not.
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
