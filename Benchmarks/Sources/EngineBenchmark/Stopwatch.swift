import Glibc

/// Measures work by the thread's processor time. The compared works take turns, so that other load on the machine
/// affects all of them equally.
enum Stopwatch {
    /// The time of one call of each work in seconds: the shortest of `rounds`, to exclude other load on the machine.
    ///
    /// - Parameters:
    ///   - rounds: The number of turns of each work.
    ///   - duration: The minimum duration of a turn in seconds.
    ///   - works: The works to compare.
    static func compare(rounds: Int = 9, duration: Double = 0.05, _ works: [() -> Void]) -> [Double] {
        var best = works.map { _ in Double.infinity }
        var calls = works.map { _ in 1 }
        for _ in 0..<rounds {
            for (index, work) in works.enumerated() {
                var elapsed = time(calls[index], work)
                while elapsed < duration {
                    calls[index] = max(calls[index] * 2, Int(Double(calls[index]) * duration / max(elapsed, 1e-9)))
                    elapsed = time(calls[index], work)
                }
                best[index] = min(best[index], elapsed / Double(calls[index]))
            }
        }
        return best
    }

    /// The processor time of some calls, in seconds.
    static func time(_ calls: Int, _ work: () -> Void) -> Double {
        let start = now()
        for _ in 0..<calls { work() }
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// A number with a few digits, for display.
    static func text(_ number: Double) -> String {
        let digits = number >= 100 ? 1.0 : number >= 10 ? 10.0 : 100.0
        return String((number * digits).rounded() / digits)
    }
}
