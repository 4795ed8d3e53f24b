/// The time to wait after the n-th failure in a row. It doubles up to a limit and is partly random, so that a thousand
/// consumers do not return at the same moment.
struct Backoff: Sendable {
    let first: Duration
    let longest: Duration

    /// A random time between half of the doubled time and all of it.
    func wait(afterFailures failures: Int) -> Duration {
        let doublings = min(max(failures, 1) - 1, 16)
        let whole = min(first * (1 << doublings), longest)
        return whole * Double.random(in: 0.5...1)
    }
}
