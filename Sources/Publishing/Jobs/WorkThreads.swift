import NIOPosix

/// Threads for the long computations of requests and jobs: parsing, linting, judging, evaluating, writing JSON. Swift
/// has only one cooperative thread per processor, so long computations on these threads would delay everything else.
/// The operating system divides the processors fairly among all threads.
public final class WorkThreads: TaskExecutor {
    private let threads: NIOThreadPool

    /// Creates `count` threads, but at least one. The API creates one for each slot, so no request waits for another
    /// one's computation.
    public init(count: Int) {
        threads = NIOThreadPool(numberOfThreads: max(1, count))
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// Runs a job of the Swift runtime on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The threads end only with this executor, which exists as long as a job runs on it. So every job runs.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
