import Snapshot

/// The last changes of what is live, and the deltas that have been made of them for the newest manifest.
struct SnapshotHistory {
    /// Changes beyond this many are forgotten, the oldest first.
    static let mostChanges = 20_000

    /// In the order of their activations, every one above `floor`. A host may stand here more than once.
    private var changes: [ManifestChange] = []
    private var floor: Int64 = 0
    /// By the activation of the manifest that they lead from.
    private var deltas: [Int64: [UInt8]?] = [:]

    /// Adds changes above all before, in the order of their activations.
    mutating func add(_ added: [ManifestChange]) {
        deltas = [:]
        changes += added
        let surplus = changes.count - Self.mostChanges
        guard surplus > 0 else { return }
        floor = changes[surplus - 1].activation
        changes.removeFirst(surplus)
    }

    /// The way to the newest manifest from the one of an activation; nil where too much has been forgotten, there is
    /// nothing newer, or the way is more than half as long as the whole.
    mutating func delta(after activation: Int64, to manifest: Manifest) throws -> [UInt8]? {
        guard activation >= floor, activation < manifest.activation else { return nil }
        if let made = deltas[activation] { return made }
        let start = changes.firstIndex { $0.activation > activation } ?? changes.endIndex
        var last: [String: ManifestChange] = [:]
        for change in changes[start...] { last[change.host] = change }
        let bytes = try ManifestDelta.bytes(to: manifest, changes: Array(last.values))
        let delta = bytes.count * 2 <= manifest.bytes.count ? bytes : nil
        deltas[activation] = .some(delta)
        return delta
    }
}
