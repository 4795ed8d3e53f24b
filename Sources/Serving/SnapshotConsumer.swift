public import Snapshot

/// What a follower has settled on: the entries to serve, each with its file in the directory.
public struct ServedSnapshot: Sendable {
    /// The activation of the manifest that was accepted last.
    public let activation: Int64
    /// In the order of the hosts' bytes. Some may be older than the manifest's: the ones held back.
    public let entries: [ManifestEntry]
    /// Hosts that are published and have no file yet that could be served.
    public let unavailable: [String]
}

/// Something that puts a snapshot to use: the edge's table, the keeper's pointers.
public protocol SnapshotConsumer: Sendable {
    /// Makes `snapshot` the one in use. Called on a thread that may wait for the disk, never twice at a time.
    ///
    /// - Parameter directory: holds the files.
    /// - Throws: what was in use stays so; the follower calls again.
    func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError)
}
