import Publishing
import Testing

@Suite("Doorbell")
struct DoorbellTests {
    private func seconds(_ body: () async -> Void) async -> Double {
        let duration = await ContinuousClock().measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    @Test("a ring wakes all waiting tasks")
    func ring() async {
        let doorbell = Doorbell()
        let begun = AsyncStream.makeStream(of: Void.self)
        let waited = await seconds {
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        begun.continuation.yield()
                        await doorbell.wait(atMost: .seconds(60))
                    }
                }
                var ones = begun.stream.makeAsyncIterator()
                for _ in 0..<8 { await ones.next() }
                // At the first ring, some may not be waiting yet. At the third, all are.
                for _ in 0..<3 {
                    try? await Task.sleep(for: .milliseconds(500))
                    doorbell.ring()
                }
                await group.waitForAll()
            }
        }
        #expect(waited < 30)
    }

    @Test("a ring while no task waits is remembered once")
    func remembered() async {
        let doorbell = Doorbell()
        doorbell.ring()
        doorbell.ring()
        #expect(await seconds { await doorbell.wait(atMost: .seconds(60)) } < 30)
        #expect(await seconds { await doorbell.wait(atMost: .milliseconds(200)) } >= 0.2)
    }

    @Test("without a ring it waits for the whole duration, and a cancelled task does not wait")
    func patience() async {
        let doorbell = Doorbell()
        #expect(await seconds { await doorbell.wait(atMost: .milliseconds(150)) } >= 0.15)
        let waiting = Task { await doorbell.wait(atMost: .seconds(60)) }
        waiting.cancel()
        #expect(await seconds { await waiting.value } < 30)
    }
}
