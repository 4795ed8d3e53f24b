import Glibc

/// A moment of the monotonic clock: what deadlines and back-offs are measured by, so that setting the time of day moves
/// none of them.
struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the machine started.
    let nanoseconds: Int64

    init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static let distantFuture = MonotonicInstant(nanoseconds: .max)

    static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `duration` later; the distant future when that is past counting.
    static func + (moment: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflow ? .distantFuture : MonotonicInstant(nanoseconds: sum)
    }

    /// How long until this moment from `other` on; zero when it has passed.
    func since(_ other: MonotonicInstant) -> Duration {
        .nanoseconds(max(0, nanoseconds - other.nanoseconds))
    }

    /// What `poll` takes: milliseconds until this moment, rounded up, at most a minute.
    func pollTimeout(from now: MonotonicInstant) -> Int32 {
        let rest = min(max(0, nanoseconds - now.nanoseconds), 60_000_000_000)
        return Int32((rest + 999_999) / 1_000_000)
    }
}

extension Duration {
    /// Saturating at some 292 years.
    var wholeNanoseconds: Int64 {
        let (whole, attoseconds) = components
        let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return whole < 0 ? .min : .max }
        let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow2 ? .max : sum
    }

    var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
}
