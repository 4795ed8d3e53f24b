import Testing
import Timing

@Suite("Back-off")
struct BackoffTests {
    @Test("each failure doubles the pause up to the limit, and jitter takes at most half of it away")
    func doubling() {
        let backoff = Backoff(first: .milliseconds(250), longest: .seconds(5))
        let whole: [Int: Duration] = [
            0: .milliseconds(250), 1: .milliseconds(250), 2: .milliseconds(500), 3: .seconds(1), 5: .seconds(4),
            6: .seconds(5), 100: .seconds(5), .max: .seconds(5),
        ]
        for (failures, longest) in whole {
            let pauses = (0..<100).map { _ in backoff.pause(afterFailures: failures) }
            #expect(pauses.allSatisfy { $0 >= longest / 2 && $0 <= longest }, "after \(failures) failures")
            #expect(Set(pauses).count > 1, "a thousand clients would come back at the same moment")
        }
    }

    @Test("the factor and the range of the jitter can be chosen")
    func tripling() {
        let backoff = Backoff(first: .seconds(2), longest: .seconds(60), factor: 3, jitter: 0.5...1.5)
        let pauses = (1...5).map { backoff.pause(afterFailures: $0, chance: 0.5) }
        #expect(pauses == [2, 6, 18, 54, 60].map { .seconds($0) })
        #expect(backoff.pause(afterFailures: 1, chance: 0) == .seconds(1))
        #expect(backoff.pause(afterFailures: 1, chance: 1) == .seconds(3))
    }
}
