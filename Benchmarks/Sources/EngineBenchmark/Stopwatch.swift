import Glibc

/// Times what is to be compared in turns, so that all of it meets the same weather, by the processor time of the thread,
/// so that what else the machine does counts as little as can be.
enum Stopwatch {
    /// Seconds that one call of each takes: the shortest of `rounds`, so that what else the machine does falls out.
    ///
    /// - Parameters:
    ///   - rounds: How often each gets its turn.
    ///   - duration: How long a turn is, in seconds, at least.
    ///   - works: What is to be compared.
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

    /// Seconds of processor time that some calls take.
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

    /// A number with a few digits, for people.
    static func text(_ number: Double) -> String {
        let digits = number >= 100 ? 1.0 : number >= 10 ? 10.0 : 100.0
        return String((number * digits).rounded() / digits)
    }
}
