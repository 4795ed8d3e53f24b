import Testing

@testable import Serving

@Suite("Back-off")
struct BackoffTests {
    @Test("each failure doubles the wait up to the limit, of which at most half is subtracted randomly")
    func doubling() {
        let backoff = Backoff(first: .milliseconds(250), longest: .seconds(5))
        let whole: [Int: Duration] = [
            0: .milliseconds(250), 1: .milliseconds(250), 2: .milliseconds(500), 3: .seconds(1), 5: .seconds(4),
            6: .seconds(5), 100: .seconds(5), .max: .seconds(5),
        ]
        for (failures, longest) in whole {
            let waits = (0..<100).map { _ in backoff.wait(afterFailures: failures) }
            #expect(waits.allSatisfy { $0 >= longest / 2 && $0 <= longest }, "after \(failures) failures")
            #expect(Set(waits).count > 1, "a thousand consumers do not return at the same moment")
        }
    }
}
