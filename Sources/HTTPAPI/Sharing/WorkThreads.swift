import NIOPosix

/// Threads for whatever requests compute: parsing, linting, evaluating, writing JSON. Swift's cooperative threads are as
/// few as processors; what computes on them delays everybody, whereas the system divides processors fairly among threads.
///
/// There is one for each place in ``WorkPlaces``, so that no request waits for another's computing.
final class WorkThreads: TaskExecutor {
    private let threads: NIOThreadPool

    init(count: Int) {
        threads = NIOThreadPool(numberOfThreads: max(1, count))
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The threads end with this executor, which lives for as long as anything runs on it: nothing is refused.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
