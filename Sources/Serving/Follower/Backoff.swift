/// How long to wait after the n-th failure in a row: doubling, up to a limit, and at random below it, so that a thousand
/// consumers do not come back in the same instant.
struct Backoff: Sendable {
    let first: Duration
    let longest: Duration

    /// A wait between half and the whole of the doubled time.
    func wait(afterFailures failures: Int) -> Duration {
        let doublings = min(max(failures, 1) - 1, 16)
        let whole = min(first * (1 << doublings), longest)
        return whole * Double.random(in: 0.5...1)
    }
}
