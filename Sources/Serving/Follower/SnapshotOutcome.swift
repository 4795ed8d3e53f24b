internal import Snapshot

/// The part of a new manifest that can be served with the available files.
struct SnapshotOutcome {
    let served: ServedSnapshot
    /// The required files that are missing, without duplicates.
    let missing: [ManifestFile]

    /// - Parameters:
    ///   - kept: The entries that stay, whatever the manifest contains.
    ///   - serving: The currently served snapshot. A host keeps its older entry until its new file is available.
    ///   - available: The available files.
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

    /// The required files that are missing, without duplicates.
    static func missing(
        offered: Manifest, kept: [ManifestEntry], available: Set<ManifestFile>
    ) -> [ManifestFile] {
        let absent = offered.files.filter { !available.contains($0) }
        guard !kept.isEmpty else { return absent }
        // A host that keeps its entry does not need its new file.
        let keptHosts = Set(kept.map(\.host))
        let absentFiles = Set(absent)
        var noted: Set<ManifestFile> = []
        var missing = kept.map(\.file).filter { !available.contains($0) && noted.insert($0).inserted }
        for entry in offered.entries where absentFiles.contains(entry.file) && !keptHosts.contains(entry.host) {
            if noted.insert(entry.file).inserted { missing.append(entry.file) }
        }
        return missing
    }
}
