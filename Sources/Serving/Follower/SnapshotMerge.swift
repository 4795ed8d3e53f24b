internal import Snapshot

/// Which hosts do not follow an offered manifest: a function of what is served and what is offered.
struct SnapshotMerge {
    /// Entries that are served and stay, whatever the manifest says, in the order of the hosts' bytes.
    private(set) var kept: [ManifestEntry] = []
    private(set) var doubts: [SnapshotDoubt] = []

    /// Whether the manifest as a whole may follow the one accepted last.
    ///
    /// An equal activation is allowed: two changes that commit out of order are first seen as the higher one alone.
    static func check(_ offered: Manifest, after accepted: Manifest?, serving: Int) throws(SnapshotDoubt) {
        if let accepted, offered.activation < accepted.activation {
            throw .manifestWentBack(from: accepted.activation, to: offered.activation)
        }
        if offered.count == 0, serving > 0, !offered.isEmptied {
            throw .unexplainedEmptiness(activation: offered.activation)
        }
    }

    /// - Parameters:
    ///   - offered: has passed `check`.
    ///   - serving: what is served now.
    ///   - mayWithdraw: whether a host that is missing has been withdrawn. False where the manifest's activation has not
    ///     risen since, because a withdrawal raises it.
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
            doubts.append(.hostVanished(host: served.host, activation: activation))
            kept.append(served)
            return
        }
        guard offered != served, offered.activation <= served.activation else { return }
        if offered.activation < served.activation {
            doubts.append(.hostWentBack(host: served.host, from: served.activation, to: offered.activation))
        } else {
            doubts.append(.hostChangedInPlace(host: served.host, activation: served.activation))
        }
        kept.append(served)
    }
}
