import NIOPosix

/// Threads for computations of requests and jobs: parsing, linting, judging, evaluating, writing JSON. Swift has only
/// as many cooperative threads as there are processors, so a computation on them would delay everything else. The
/// system divides processors fairly among threads.
public final class WorkThreads: TaskExecutor {
    private let threads: NIOThreadPool

    /// So many threads, at least one. For requests there is one for each place, so that no request waits for another
    /// one's computation.
    public init(count: Int) {
        threads = NIOThreadPool(numberOfThreads: max(1, count))
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// Runs a job of Swift's on one of the threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The threads end with this executor, which exists as long as anything runs on it. So no job is refused.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
