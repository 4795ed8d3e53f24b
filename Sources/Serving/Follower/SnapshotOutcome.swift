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
        missing = Self.missing(offered: offered, kept: kept, available: available)
        if !missing.isEmpty {
            let keptHosts = Set(kept.map(\.host))
            for entry in offered.entries where !available.contains(entry.file) && !keptHosts.contains(entry.host) {
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
        served = ServedSnapshot(manifest: offered, held: held, unavailable: unavailable)
    }

    /// The files that are wanted and not at hand, each once.
    static func missing(
        offered: Manifest, kept: [ManifestEntry], available: Set<ManifestFile>
    ) -> [ManifestFile] {
        let absent = offered.files.filter { !available.contains($0) }
        guard !kept.isEmpty else { return absent }
        // A host that is kept back does not want what it is offered.
        let keptHosts = Set(kept.map(\.host))
        let doubtful = Set(absent)
        var noted: Set<ManifestFile> = []
        var missing = kept.map(\.file).filter { !available.contains($0) && noted.insert($0).inserted }
        for entry in offered.entries where doubtful.contains(entry.file) && !keptHosts.contains(entry.host) {
            if noted.insert(entry.file).inserted { missing.append(entry.file) }
        }
        return missing
    }
}
