/// The live version of one host. An alias has its own entry.
public struct ManifestEntry: Hashable, Sendable {
    /// The host in ASCII and lower case, without port or trailing period.
    public let host: String
    /// The activation that made this version live, at least 1. A consumer never replaces it by a lower one.
    public let activation: Int64
    /// The version's number within its domain, at least 1.
    public let version: Int64
    /// The SHA-256 of the file.
    public let sha256: ContentHash
    /// The file's size in bytes, 2 to `Blob.largest`.
    public let size: Int

    /// Creates an entry without checking it. `Manifest` checks its entries.
    public init(host: String, activation: Int64, version: Int64, sha256: ContentHash, size: Int) {
        self.host = host
        self.activation = activation
        self.version = version
        self.sha256 = sha256
        self.size = size
    }

    /// Checks that every field is within its limits.
    func check() throws(ManifestError) {
        guard HostName.isValid(host.utf8) else { throw .badHost(host) }
        guard activation >= 1, version >= 1 else { throw .badNumber }
        guard Blob.sizes.contains(size) else { throw .badSize(host: host, size: size) }
    }
}
