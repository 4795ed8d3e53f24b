internal import NIOPosix

/// Runs work that waits for the disk or processes a whole manifest. It uses separate threads, because Swift's
/// concurrency has only one thread per processor.
enum WorkThread {
    /// Runs `work` and returns its result. The work runs even if the task was cancelled.
    static func run<Success: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
            // The process-wide thread pool is never shut down, so it accepts all work.
            NIOThreadPool.singleton.submit { _ in continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
