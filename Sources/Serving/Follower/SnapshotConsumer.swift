public import Snapshot

/// Something that puts a snapshot to use: the edge's table, the keeper's pointers.
public protocol SnapshotConsumer: Sendable {
    /// Makes `snapshot` the one in use. Called on a thread that may wait for the disk, never twice at a time.
    ///
    /// - Parameter directory: holds the files.
    /// - Throws: what was in use stays so; the follower calls again.
    func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError)
}
