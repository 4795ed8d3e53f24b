internal import NIOPosix

/// Runs work that waits for the disk or goes through a whole manifest on other threads than those of Swift's
/// concurrency, which has only as many as there are processors.
enum WorkThread {
    /// The result or error of `work`. It always runs, even if the task has been cancelled.
    static func run<Success: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
            // The process's pool is never shut down, so it refuses nothing.
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
