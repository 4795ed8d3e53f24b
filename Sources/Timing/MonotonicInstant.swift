import Glibc

/// An instant of the monotonic clock. It measures deadlines and back-offs, so that a change of the system time does not
/// affect them.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the machine started.
    package let nanoseconds: Int64

    /// Creates an instant from the number of nanoseconds since the machine started.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current instant.
    package static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// An instant later than any other.
    package static let distantFuture = MonotonicInstant(nanoseconds: .max)

    /// Whether the left instant is earlier.
    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The instant after a duration. The distant future if the sum is too large.
    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflow ? .distantFuture : MonotonicInstant(nanoseconds: sum)
    }

    /// The time from `other` until this instant. Zero if this instant is earlier.
    package func since(_ other: MonotonicInstant) -> Duration {
        .nanoseconds(max(0, nanoseconds - other.nanoseconds))
    }

    /// The timeout for `poll`: milliseconds from `now` until this instant, rounded up, at most a minute.
    package func pollTimeout(from now: MonotonicInstant) -> Int32 {
        let rest = min(max(0, nanoseconds - now.nanoseconds), 60_000_000_000)
        return Int32((rest + 999_999) / 1_000_000)
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero. The nearest `Int64` for more than about 292 years.
    package var wholeNanoseconds: Int64 {
        let (whole, attoseconds) = components
        let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return whole < 0 ? .min : .max }
        let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow2 ? .max : sum
    }

    /// The duration in milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
}
