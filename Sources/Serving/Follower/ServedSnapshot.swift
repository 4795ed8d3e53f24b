public import Snapshot

/// The snapshot that a follower serves: a manifest, and the hosts whose entries differ from it.
public struct ServedSnapshot: Sendable {
    /// The last accepted manifest.
    public let manifest: Manifest
    /// Entries of hosts that are served with an older entry or are not in the manifest, sorted by the hosts' bytes.
    public let held: [ManifestEntry]
    /// Published hosts whose file is not available, sorted by their bytes.
    public let unavailable: [String]
    /// The number of served hosts.
    public let count: Int
    /// The hosts whose entries differ from the manifest. The value is `nil` for a host that serves nothing.
    private let exceptions: [String: ManifestEntry?]

    init(manifest: Manifest, held: [ManifestEntry] = [], unavailable: [String] = []) {
        self.manifest = manifest
        self.held = held
        self.unavailable = unavailable
        var exceptions: [String: ManifestEntry?] = [:]
        for entry in held { exceptions[entry.host] = .some(entry) }
        for host in unavailable { exceptions[host] = .some(nil) }
        self.exceptions = exceptions
        let added = held.count { manifest.entry(of: $0.host) == nil }
        let missing = unavailable.count { manifest.entry(of: $0) != nil }
        count = manifest.count + added - missing
    }

    /// True if the host's entry is the manifest's.
    func followsManifest(_ host: String) -> Bool { exceptions.isEmpty || exceptions[host] == nil }

    /// The served entry of a host in normal form, or `nil`. Takes logarithmic time.
    func entry(of host: String) -> ManifestEntry? {
        exceptions[host] ?? manifest.entry(of: host)
    }

    /// Calls `body` for every served entry: first those of the manifest, sorted by the hosts' bytes, and then the held
    /// ones.
    func forEachEntry<Failure: Error>(_ body: (ManifestEntry) throws(Failure) -> Void) throws(Failure) {
        for entry in manifest.entries where followsManifest(entry.host) { try body(entry) }
        for entry in held { try body(entry) }
    }
}
