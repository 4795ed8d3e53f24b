public import Snapshot

/// A user of a snapshot: the edge's table, or the directory writer's pointers.
public protocol SnapshotConsumer: Sendable {
    /// Starts to use `snapshot`. Called on a thread that can wait for the disk, by one caller at a time.
    ///
    /// - Parameter directory: The directory with the files.
    /// - Throws: An error if the snapshot cannot be used. The previous one stays in use, and the follower calls again.
    func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError)
}
