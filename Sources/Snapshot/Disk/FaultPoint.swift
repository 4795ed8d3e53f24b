/// The named moments in the writing of files at which a test makes a failure happen, or ends the process
/// (`ProcessFault`).
///
/// A served file must be whole whatever happens between any two of them.
public enum FaultPoint: String, Hashable, Sendable, CaseIterable {
    /// Nothing has been done yet.
    case beforeWriting
    /// The temporary file is there, but empty.
    case temporaryCreated
    /// The temporary file holds the bytes; they may be in memory only.
    case temporaryWritten
    /// The temporary file is on the disk.
    case temporarySynchronized
    /// The file has its name; the directory may be in memory only.
    case renamed
    /// All is on the disk.
    case directorySynchronized
    /// A file or pointer is about to be removed.
    case beforeRemoving
    /// It is gone.
    case removed
}

/// Called at each `FaultPoint` with the path being written. It may throw in place of the system, or never return.
public typealias FaultInjector = @Sendable (FaultPoint, _ path: String) throws(FileSystemError) -> Void

/// What runs outside of tests: nothing.
public let noFaults: FaultInjector = { (_, _) throws(FileSystemError) in }
