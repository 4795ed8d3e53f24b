internal import Snapshot

/// What can be served of an offered manifest, given the files that are at hand.
struct SnapshotOutcome {
    let served: ServedSnapshot
    /// Files that are wanted and not at hand, each once.
    let missing: [ManifestFile]

    /// - Parameters:
    ///   - kept: entries that stay, whatever the manifest says.
    ///   - serving: what is served now: the older entry of a host is served on while its new file is not at hand.
    ///   - available: the files at hand.
    init(offered: Manifest, kept: [ManifestEntry], serving: ServedSnapshot?, available: Set<ManifestFile>) {
        var held = kept.filter { available.contains($0.file) }
        var unavailable = kept.filter { !available.contains($0.file) }.map(\.host)
        var missing = kept.map(\.file).filter { !available.contains($0) }
        if offered.files.contains(where: { !available.contains($0) }) {
            let keptHosts = Set(kept.map(\.host))
            for entry in offered.entries where !available.contains(entry.file) && !keptHosts.contains(entry.host) {
                missing.append(entry.file)
                if let older = serving?.entry(of: entry.host), older.activation < entry.activation,
                    available.contains(older.file)
                {
                    held.append(older)
                } else {
                    unavailable.append(entry.host)
                }
            }
            held.sort { HostName.precedes($0.host, $1.host) }
            unavailable.sort { HostName.precedes($0, $1) }
        }
        var noted: Set<ManifestFile> = []
        self.missing = missing.filter { noted.insert($0).inserted }
        served = ServedSnapshot(manifest: offered, held: held, unavailable: unavailable)
    }
}
