/// Named steps of writing files. At each of them, a test can cause a failure or end the process (`ProcessFault`).
///
/// A served file must always be whole, even after an interruption between any two steps.
public enum FaultPoint: String, Hashable, Sendable, CaseIterable {
    /// Nothing has been written yet.
    case beforeWriting
    /// The temporary file exists, but is empty.
    case temporaryCreated
    /// The temporary file contains the bytes, possibly only in memory.
    case temporaryWritten
    /// The temporary file is on the disk.
    case temporarySynchronized
    /// The file has its name, possibly only in memory.
    case renamed
    /// All data is on the disk.
    case directorySynchronized
    /// A file or pointer is about to be removed.
    case beforeRemoving
    /// The file or pointer has been removed.
    case removed
}

/// Called at each `FaultPoint` with the path being written. It can throw an error as if the system had failed, or never
/// return.
public typealias FaultInjector = @Sendable (FaultPoint, _ path: String) throws(FileSystemError) -> Void

/// Does nothing. Used outside of tests.
public let noFaults: FaultInjector = { (_, _) throws(FileSystemError) in }
