import Testing
import Timing

@Suite("Timeouts", .timeLimit(.minutes(1)))
struct TimeoutTests {
    private struct Failure: Error {}

    @Test("an operation that ends in time gives its result or its error")
    func inTime() async throws {
        #expect(try await withTimeout(.seconds(60)) { 7 } == 7)
        await #expect(throws: Failure.self) { try await withTimeout(.seconds(60)) { throw Failure() } }
    }

    @Test("an operation that takes too long is cancelled")
    func late() async {
        await #expect(throws: TimedOut.self) {
            try await withTimeout(.milliseconds(1)) { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    @Test("a cancelled caller gets no result, even if the operation returns one")
    func cancelled() async {
        let task = Task {
            try await withTimeout(.seconds(3600)) {
                try? await Task.sleep(for: .seconds(3600))
                return 7
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
