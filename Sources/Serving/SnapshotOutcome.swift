internal import Snapshot

/// What can be served of the targets, given the blobs that are at hand.
struct SnapshotOutcome {
    /// In the order of the hosts' bytes.
    private(set) var entries: [ManifestEntry] = []
    /// Hosts with neither the wanted file nor an older one.
    private(set) var unavailable: [String] = []
    /// Blobs of wanted entries that are not at hand, each once, in the order of the first host.
    private(set) var missing: [BlobFetcher.Wanted] = []

    init(_ targets: [SnapshotMerge.Target], available: Set<BlobFetcher.Wanted>) {
        var noted: Set<BlobFetcher.Wanted> = []
        entries.reserveCapacity(targets.count)
        for target in targets {
            let wanted = BlobFetcher.Wanted(target.wanted)
            if available.contains(wanted) {
                entries.append(target.wanted)
                continue
            }
            if noted.insert(wanted).inserted { missing.append(wanted) }
            if let fallback = target.fallback, available.contains(BlobFetcher.Wanted(fallback)) {
                entries.append(fallback)
            } else {
                unavailable.append(target.wanted.host)
            }
        }
    }

    /// The entries that are not the manifest's own.
    func held(from manifest: Manifest) -> [ManifestEntry] {
        var own = manifest.entries.makeIterator()
        var next = own.next()
        return entries.filter { entry in
            while let candidate = next, HostName.precedes(candidate.host, entry.host) { next = own.next() }
            return next != entry
        }
    }
}

extension BlobFetcher.Wanted {
    init(_ entry: ManifestEntry) { self.init(sha256: entry.sha256, size: entry.size) }
}
