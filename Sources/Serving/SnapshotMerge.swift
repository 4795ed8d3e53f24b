internal import Snapshot

/// What to serve after a manifest has been offered: a function of what is served and what is offered.
struct SnapshotMerge {
    /// What a host should get.
    struct Target: Equatable {
        let wanted: ManifestEntry
        /// Served on while the wanted file is not at hand.
        let fallback: ManifestEntry?
    }

    /// In the order of the hosts' bytes.
    private(set) var targets: [Target] = []
    private(set) var doubts: [SnapshotDoubt] = []

    /// Whether the manifest as a whole may follow the one accepted last.
    ///
    /// An equal activation is allowed: two changes that commit out of order are first seen as the higher one alone.
    static func check(_ offered: Manifest, after accepted: Manifest?, serving: Int) throws(SnapshotDoubt) {
        if let accepted, offered.activation < accepted.activation {
            throw .manifestWentBack(from: accepted.activation, to: offered.activation)
        }
        if offered.entries.isEmpty, serving > 0, !offered.isEmptied {
            throw .unexplainedEmptiness(activation: offered.activation)
        }
    }

    /// - Parameters:
    ///   - offered: has passed `check`.
    ///   - serving: the entries served now, in the order of their hosts.
    ///   - mayWithdraw: whether a host that is missing has been withdrawn. False where the manifest's activation has not
    ///     risen since, because a withdrawal raises it.
    init(offered: Manifest, serving: [ManifestEntry], mayWithdraw: Bool) {
        targets.reserveCapacity(offered.entries.count)
        var old = serving.makeIterator()
        var held = old.next()
        for entry in offered.entries {
            while let missing = held, HostName.precedes(missing.host, entry.host) {
                missed(missing, offered: offered, mayWithdraw: mayWithdraw)
                held = old.next()
            }
            if let same = held, same.host == entry.host {
                targets.append(target(entry, after: same))
                held = old.next()
            } else {
                targets.append(Target(wanted: entry, fallback: nil))
            }
        }
        while let missing = held {
            missed(missing, offered: offered, mayWithdraw: mayWithdraw)
            held = old.next()
        }
    }

    private mutating func target(_ offered: ManifestEntry, after served: ManifestEntry) -> Target {
        if offered == served { return Target(wanted: served, fallback: nil) }
        if offered.activation > served.activation { return Target(wanted: offered, fallback: served) }
        if offered.activation < served.activation {
            doubts.append(.hostWentBack(host: served.host, from: served.activation, to: offered.activation))
        } else {
            doubts.append(.hostChangedInPlace(host: served.host, activation: served.activation))
        }
        return Target(wanted: served, fallback: nil)
    }

    private mutating func missed(_ served: ManifestEntry, offered: Manifest, mayWithdraw: Bool) {
        guard !mayWithdraw else { return }
        doubts.append(.hostVanished(host: served.host, activation: offered.activation))
        targets.append(Target(wanted: served, fallback: nil))
    }
}
