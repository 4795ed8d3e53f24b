/// The steps of writing a file. A test can cause a failure or end the process at each of them (`ProcessFault`).
///
/// An interruption between any two steps must never leave an incomplete file for serving.
public enum FaultPoint: String, Hashable, Sendable, CaseIterable {
    /// Nothing has been written yet.
    case beforeWriting
    /// The temporary file exists, but is empty.
    case temporaryCreated
    /// The temporary file contains the bytes, but they may not be on the disk yet.
    case temporaryWritten
    /// The temporary file is on the disk.
    case temporarySynchronized
    /// The file has its final name, but the name may not be on the disk yet.
    case renamed
    /// All data is on the disk.
    case directorySynchronized
    /// A file or pointer is about to be removed.
    case beforeRemoving
    /// The file or pointer has been removed.
    case removed
}

/// Called at each `FaultPoint` with the path being written. It can throw an error in place of the system, or never
/// return.
public typealias FaultInjector = @Sendable (FaultPoint, _ path: String) throws(FileSystemError) -> Void

/// Does nothing. Used outside of tests.
public let noFaults: FaultInjector = { (_, _) throws(FileSystemError) in }
