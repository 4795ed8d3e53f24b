internal import Glibc
internal import NIOPosix
internal import Snapshot

/// Runs what waits for the disk away from the threads of Swift's concurrency, of which there are as few as processors.
enum DiskThread {
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws(SnapshotDirectoryError) -> Result
    ) async throws(SnapshotDirectoryError) -> Result {
        do {
            return try await NIOThreadPool.singleton.runIfActive { try work() }
        } catch let error as SnapshotDirectoryError {
            throw error
        } catch {
            // The task was cancelled before a thread was free.
            throw .fileSystem(FileSystemError(operation: "wait", path: "a thread", code: ECANCELED))
        }
    }
}
