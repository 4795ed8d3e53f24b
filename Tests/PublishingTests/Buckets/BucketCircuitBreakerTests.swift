import Testing

@testable import Publishing

@Suite("Circuit breaker of a bucket")
struct BucketCircuitBreakerTests {
    private static let failed = BucketCircuitBreaker.Verdict.unread("the bucket cannot be reached", isFirst: true)
    private static let failedAgain = BucketCircuitBreaker.Verdict.unread("the bucket cannot be reached", isFirst: false)

    /// Three places, all taken and then freed with these verdicts.
    private func places(after verdicts: [BucketCircuitBreaker.Verdict]) -> BucketCircuitBreaker {
        var places = BucketCircuitBreaker(width: 3)
        places.take(verdicts.count)
        for verdict in verdicts { places.end(verdict) }
        return places
    }

    @Test("after as many failures in a row as there are places, one place is left")
    func failing() {
        #expect(places(after: [Self.failed, Self.failed]).free == 3)
        #expect(places(after: [Self.failed, Self.failed, Self.failed]).free == 1)
    }

    @Test("a success resets the count of failures", arguments: 1...2)
    func succeeding(position: Int) {
        var verdicts = [Self.failed, Self.failed, Self.failed]
        verdicts.insert(.sound, at: position)
        #expect(places(after: verdicts).free == 3)
    }

    @Test(
        "a result that shows nothing about the bucket neither counts nor resets the count",
        arguments: [.unknown, failedAgain])
    func unknown(_ verdict: BucketCircuitBreaker.Verdict) {
        #expect(places(after: [Self.failed, verdict, verdict, Self.failed]).free == 3)
        #expect(places(after: [Self.failed, verdict, Self.failed, Self.failed]).free == 1)
    }

    @Test("a success opens all places of a failing bucket")
    func recovering() {
        var places = places(after: [Self.failed, Self.failed, Self.failed])
        places.take(1)
        #expect(places.free == 0)
        places.end(.sound)
        #expect(places.free == 3)
    }

    @Test("a failing bucket has no free place while many objects are still being processed")
    func underWay() {
        var places = BucketCircuitBreaker(width: 3)
        places.take(3)
        places.end(Self.failed)
        places.take(1)
        places.end(Self.failed)
        places.take(1)
        places.end(Self.failed)
        #expect(places.isFailing)
        #expect((places.taken, places.free) == (2, 0))
    }
}
