import NIOPosix

/// Threads for whatever requests and jobs compute: parsing, linting, judging, evaluating, writing JSON. Swift's cooperative
/// threads are as few as processors; what computes on them delays everybody, whereas the system divides processors fairly
/// among threads.
public final class WorkThreads: TaskExecutor {
    private let threads: NIOThreadPool

    /// So many threads, at least one. For requests there is one for each place at which they are worked on, so that none
    /// waits for another's computing.
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
        // The threads end with this executor, which lives for as long as anything runs on it: nothing is refused.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
