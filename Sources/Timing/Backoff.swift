/// How long to wait before the next attempt: longer after each failure in a row, up to a limit, and varied at random, so
/// that clients that failed together do not try again together.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    private let factor: Int
    private let jitter: ClosedRange<Double>

    /// A back-off.
    ///
    /// - Parameters:
    ///   - first: the pause after the first failure, before jitter.
    ///   - longest: the limit of a pause, before jitter.
    ///   - factor: by how much a pause is longer than the one before it; at least 2.
    ///   - jitter: each pause is multiplied by a random number of this range.
    package init(first: Duration, longest: Duration, factor: Int = 2, jitter: ClosedRange<Double> = 0.5...1) {
        self.first = first
        self.longest = longest
        self.factor = factor
        self.jitter = jitter
    }

    /// The pause before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: failed attempts in a row; 0 counts as 1.
    ///   - chance: 0 to 1: where in the range of the jitter the pause is. For code that must be the same in every run.
    package func pause(afterFailures failures: Int, chance: Double = .random(in: 0...1)) -> Duration {
        var pause = first
        var step = 1
        while step < failures, pause < longest {
            pause *= factor
            step += 1
        }
        return min(pause, longest) * (jitter.lowerBound + chance * (jitter.upperBound - jitter.lowerBound))
    }
}
