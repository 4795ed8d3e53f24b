internal import Glibc

/// What the thread that asks has computed so far: time in which others had its processor does not count.
enum ThreadTime {
    /// Since the thread began; compared with other readings of the same thread alone.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
