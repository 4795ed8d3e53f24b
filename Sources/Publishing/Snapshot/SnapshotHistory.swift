import Snapshot

/// The latest changes of live files, and the deltas from older manifests to the newest one.
struct SnapshotHistory {
    /// The maximum number of changes. The oldest are dropped.
    static let maximumChanges = 20_000

    /// All changes after `floor`, in the order of their activations. A host may appear more than once.
    private var changes: [ManifestChange] = []
    private var floor: Int64 = 0
    /// The computed deltas, by the activation of the older manifest.
    private var deltas: [Int64: [UInt8]?] = [:]

    /// Adds changes, in the order of their activations. All must be later than the previous changes.
    mutating func add(_ added: [ManifestChange]) {
        deltas = [:]
        changes += added
        let surplus = changes.count - Self.maximumChanges
        guard surplus > 0 else { return }
        floor = changes[surplus - 1].activation
        changes.removeFirst(surplus)
    }

    /// The delta from the manifest with this activation to the newest one. Returns `nil` if changes since then were
    /// dropped, if there are no newer changes, or if the delta is more than half as long as the manifest.
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
