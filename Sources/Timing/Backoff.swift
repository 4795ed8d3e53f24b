/// Computes the pause before the next attempt. The pause becomes longer after each failure in a row, up to a limit. It
/// varies at random, so that clients that failed together do not retry together.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    private let factor: Int
    private let jitter: ClosedRange<Double>

    /// Creates a back-off.
    ///
    /// - Parameters:
    ///   - first: The pause after the first failure, before jitter.
    ///   - longest: The maximum pause, before jitter.
    ///   - factor: The factor between two pauses; at least 2.
    ///   - jitter: The range of the random factor for each pause.
    package init(first: Duration, longest: Duration, factor: Int = 2, jitter: ClosedRange<Double> = 0.5...1) {
        self.first = first
        self.longest = longest
        self.factor = factor
        self.jitter = jitter
    }

    /// The pause before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: The number of failed attempts in a row. 0 counts as 1.
    ///   - chance: The position in the range of the jitter, from 0 to 1. Pass it for the same result in every run.
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
