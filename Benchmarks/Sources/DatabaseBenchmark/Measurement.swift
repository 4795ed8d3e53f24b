import Glibc

/// The result of a run.
struct Measurement {
    /// Reads per second.
    let rate: Double
    /// The client's processor time per read in microseconds. On a busy machine, it is more useful than the rate.
    let clientCPU: Double

    /// The processor time so far, in microseconds.
    static func cpuTime(_ who: __rusage_who) -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(who.rawValue), &usage)
        func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1_000_000 + Double(time.tv_usec) }
        return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }
}
