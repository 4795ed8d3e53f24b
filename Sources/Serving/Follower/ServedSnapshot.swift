public import Snapshot

/// What a follower has settled on: a manifest, and the few hosts on which something else is served than it says.
public struct ServedSnapshot: Sendable {
    /// The one that was accepted last.
    public let manifest: Manifest
    /// Entries in place of the manifest's, and of hosts that it does not name, in the order of the hosts' bytes.
    public let held: [ManifestEntry]
    /// Hosts that are published and have no file yet that could be served, in the order of their bytes.
    public let unavailable: [String]
    /// The number of hosts that are served.
    public let count: Int
    /// What is served on the hosts that do not follow the manifest; nil for nothing.
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

    /// Whether the host is served, if at all, by what the manifest says.
    func followsManifest(_ host: String) -> Bool { exceptions.isEmpty || exceptions[host] == nil }

    /// What is served on a host in its normal form; found in logarithmic time.
    func entry(of host: String) -> ManifestEntry? {
        exceptions[host] ?? manifest.entry(of: host)
    }

    /// Calls `body` for every entry that is served: the manifest's own in the order of the hosts' bytes, then those held.
    func forEachEntry<Failure: Error>(_ body: (ManifestEntry) throws(Failure) -> Void) throws(Failure) {
        for entry in manifest.entries where followsManifest(entry.host) { try body(entry) }
        for entry in held { try body(entry) }
    }
}
