import Testing

@testable import Publishing

@Suite("Places of a bucket")
struct BucketCircuitBreakerTests {
    private static let failed = BucketCircuitBreaker.Verdict.unread("the bucket cannot be reached", isFirst: true)
    private static let failedAgain = BucketCircuitBreaker.Verdict.unread("the bucket cannot be reached", isFirst: false)

    /// All of three places taken, and given back with those verdicts.
    private func places(after verdicts: [BucketCircuitBreaker.Verdict]) -> BucketCircuitBreaker {
        var places = BucketCircuitBreaker(width: 3)
        places.take(verdicts.count)
        for verdict in verdicts { places.end(verdict) }
        return places
    }

    @Test("as many failures in a row as there are places leave one place")
    func failing() {
        #expect(places(after: [Self.failed, Self.failed]).free == 3)
        #expect(places(after: [Self.failed, Self.failed, Self.failed]).free == 1)
    }

    @Test("one that succeeds between them begins the row anew", arguments: 1...2)
    func succeeding(position: Int) {
        var verdicts = [Self.failed, Self.failed, Self.failed]
        verdicts.insert(.sound, at: position)
        #expect(places(after: verdicts).free == 3)
    }

    @Test("one that says nothing of the bucket neither counts nor ends the row", arguments: [.unknown, failedAgain])
    func unknown(_ verdict: BucketCircuitBreaker.Verdict) {
        #expect(places(after: [Self.failed, verdict, verdict, Self.failed]).free == 3)
        #expect(places(after: [Self.failed, verdict, Self.failed, Self.failed]).free == 1)
    }

    @Test("a success opens the places of a bucket that failed")
    func recovering() {
        var places = places(after: [Self.failed, Self.failed, Self.failed])
        places.take(1)
        #expect(places.free == 0)
        places.end(.sound)
        #expect(places.free == 3)
    }

    @Test("while many are still under way there is no place in a bucket that fails")
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
