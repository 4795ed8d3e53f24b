public import Snapshot

/// The part of a process that uses a snapshot: the edge's table, or the directory writer's symbolic links.
public protocol SnapshotConsumer: Sendable {
    /// Switches to `snapshot`. Called on a thread that can wait for the disk, and never by two callers at the same
    /// time.
    ///
    /// - Parameter directory: The directory with the files.
    /// - Throws: An error if the snapshot cannot be used. The consumer then keeps the previous one, and the follower
    ///   retries.
    func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError)
}
