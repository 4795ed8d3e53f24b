internal import Snapshot

/// Decides which hosts keep their served entries when a new manifest arrives. A pure function of the two snapshots.
struct SnapshotMerge {
    /// The served entries that stay, whatever the manifest contains, sorted by the hosts' bytes.
    private(set) var kept: [ManifestEntry] = []
    private(set) var rejections: [SnapshotRejection] = []

    /// Checks that the manifest as a whole may replace the last accepted one.
    ///
    /// An equal activation is allowed. If two changes commit out of order, only the one with the higher activation is
    /// visible at first.
    static func check(_ offered: Manifest, after accepted: Manifest?, serving: Int) throws(SnapshotRejection) {
        if let accepted, offered.activation < accepted.activation {
            throw .manifestWentBack(from: accepted.activation, to: offered.activation)
        }
        if offered.count == 0, serving > 0, !offered.isEmptied {
            throw .unexplainedEmptiness(activation: offered.activation)
        }
    }

    /// - Parameters:
    ///   - offered: A manifest that has passed `check`.
    ///   - serving: The currently served snapshot.
    ///   - mayWithdraw: True if a missing host counts as withdrawn. False if the manifest's activation has not
    ///     increased, because a withdrawal always increases it.
    init(offered: Manifest, serving: ServedSnapshot?, mayWithdraw: Bool) {
        guard let serving else { return }
        offered.forEachDifference(from: serving.manifest) { served, entry in
            guard let served, serving.followsManifest(served.host) else { return }
            judge(served, offered: entry, activation: offered.activation, mayWithdraw: mayWithdraw)
        }
        for served in serving.held {
            judge(
                served, offered: offered.entry(of: served.host), activation: offered.activation,
                mayWithdraw: mayWithdraw)
        }
        kept.sort { HostName.precedes($0.host, $1.host) }
    }

    private mutating func judge(
        _ served: ManifestEntry, offered: ManifestEntry?, activation: Int64, mayWithdraw: Bool
    ) {
        guard let offered else {
            guard !mayWithdraw else { return }
            rejections.append(.hostVanished(host: served.host, activation: activation))
            kept.append(served)
            return
        }
        guard offered != served, offered.activation <= served.activation else { return }
        if offered.activation < served.activation {
            rejections.append(.hostWentBack(host: served.host, from: served.activation, to: offered.activation))
        } else {
            rejections.append(.hostChangedInPlace(host: served.host, activation: served.activation))
        }
        kept.append(served)
    }
}
