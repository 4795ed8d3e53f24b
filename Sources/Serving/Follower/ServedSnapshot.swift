public import Snapshot

/// The snapshot that a follower serves: a manifest, and the few hosts that do not follow it.
public struct ServedSnapshot: Sendable {
    /// The last accepted manifest.
    public let manifest: Manifest
    /// Entries that replace those of the manifest, or belong to hosts that are not in it, sorted by the hosts' bytes.
    public let held: [ManifestEntry]
    /// Published hosts without an available file, sorted by their bytes.
    public let unavailable: [String]
    /// The number of served hosts.
    public let count: Int
    /// The entries of hosts that do not follow the manifest. `nil` for a host that serves nothing.
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

    /// Whether the host follows the manifest.
    func followsManifest(_ host: String) -> Bool { exceptions.isEmpty || exceptions[host] == nil }

    /// The served entry of a host in normal form. Takes logarithmic time.
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
