import NIOPosix

/// Threads for CPU-heavy work of requests and jobs: parsing, linting, judging, evaluating, writing JSON. Swift has only
/// one cooperative thread per processor, so such work on them would delay everything else. The operating system divides
/// processors fairly among threads.
public final class WorkThreads: TaskExecutor {
    private let threads: NIOThreadPool

    /// Creates the given number of threads, at least one. For requests, there is one thread for each slot, so no
    /// request waits for another request's computation.
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
        // The threads end together with this executor, which exists as long as a job runs on it. So no job is refused.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
