import NIOConcurrencyHelpers
import Publishing
import TestSupport
import Testing

/// Waiting for something to change, on behalf of many.
@Suite("Watch", .timeLimit(.minutes(3)))
struct WatchTests {
    private struct Away: Error {}

    /// What is looked at: how far something has got, and how often anybody has looked.
    private final class Source: Sendable {
        private struct State {
            var value = 0
            var looks: [Set<Int>] = []
            var isAway = false
        }

        private let state = NIOLockedValueBox(State())

        var looks: [Set<Int>] { state.withLockedValue(\.looks) }

        func set(_ value: Int) { state.withLockedValue { $0.value = value } }
        func goAway() { state.withLockedValue { $0.isAway = true } }

        func look(_ items: Set<Int>) throws -> Int {
            try state.withLockedValue { state in
                state.looks.append(items)
                if state.isAway { throw Away() }
                return state.value
            }
        }
    }

    private func watch(_ source: Source, _ bell: Doorbell) -> Watch<String, Int, Int> {
        Watch(doorbell: bell) { _, items in try source.look(items) }
    }

    @Test("what is there already is not waited for")
    func already() async throws {
        let source = Source()
        source.set(1)
        try await watch(source, Doorbell()).wait(for: "a", 1, atMost: .seconds(120)) { $0 > 0 }
        #expect(source.looks == [[1]])
    }

    @Test("one look serves all who wait, each until what it waits for has come")
    func shared() async throws {
        let (source, bell) = (Source(), Doorbell())
        let watch = watch(source, bell)
        try await withThrowingTaskGroup { group in
            for item in 1...200 {
                group.addTask { try await watch.wait(for: "a", item, atMost: .seconds(120)) { $0 >= item % 2 + 1 } }
            }
            // Each has looked once for itself, and then one looks for all.
            #expect(try await eventually { source.looks.contains { $0.count == 200 } })
            let before = source.looks.count
            source.set(1)
            bell.ring()
            for _ in 1...100 { try await group.next() }
            #expect(try await eventually { source.looks.last?.count == 100 })
            source.set(2)
            bell.ring()
            try await group.waitForAll()
            // Rings and the slow fallback make a few looks, and none of them is of one waiter.
            #expect(source.looks.count - before < 100)
        }
    }

    @Test("without a ring it is found out too")
    func unrung() async throws {
        let source = Source()
        let watch = watch(source, Doorbell())
        async let told: Void = watch.wait(for: "a", 1, atMost: .seconds(120)) { $0 > 0 }
        #expect(try await eventually { source.looks.count >= 2 })
        source.set(1)
        try await told
    }

    @Test("the time is over for whoever wants no more, and nobody looks any longer")
    func over() async throws {
        let source = Source()
        let watch = watch(source, Doorbell())
        try await watch.wait(for: "a", 1, atMost: .milliseconds(50)) { $0 > 0 }
        let waiting = Task { try await watch.wait(for: "b", 1, atMost: .seconds(120)) { $0 > 0 } }
        waiting.cancel()
        try await waiting.value
        try await Task.sleep(for: .seconds(3))
        let looks = source.looks.count
        try await Task.sleep(for: .seconds(3))
        #expect(source.looks.count == looks)
    }

    @Test("what goes wrong with a look is told to all who wait")
    func failing() async throws {
        let (source, bell) = (Source(), Doorbell())
        let watch = watch(source, bell)
        let waiting = Task { try await watch.wait(for: "a", 1, atMost: .seconds(120)) { $0 > 0 } }
        #expect(try await eventually { source.looks.count >= 1 })
        source.goAway()
        bell.ring()
        await #expect(throws: Away.self) { try await waiting.value }
    }
}
