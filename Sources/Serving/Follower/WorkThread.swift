internal import NIOPosix

/// Runs what waits for the disk, or computes over a whole manifest, away from the threads of Swift's concurrency, of which
/// there are as few as processors.
enum WorkThread {
    /// What `work` gives or throws. It is always run, also when the task has been cancelled.
    static func run<Success: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
            // The pool of the process is never shut down, so nothing is refused.
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
