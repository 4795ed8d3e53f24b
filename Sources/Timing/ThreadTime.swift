import Glibc

/// The processor time that the current thread has used.
package enum ThreadTime {
    /// The processor time since the thread started. Compare it only with other values on the same thread.
    package static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
