import NIOConcurrencyHelpers
import Publishing
import TestSupport
import Testing

/// Waiting for changes on behalf of many callers.
@Suite("Watch", .timeLimit(.minutes(3)))
struct WatchTests {
    private struct Away: Error {}

    /// The queried state: how far something has got, and the queries so far.
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

    @Test("a change that has already happened is not waited for")
    func already() async throws {
        let source = Source()
        source.set(1)
        try await watch(source, Doorbell()).wait(for: "a", 1, atMost: .seconds(120)) { $0 > 0 }
        #expect(source.looks == [[1]])
    }

    @Test("one query serves all waiting callers, each until its own change")
    func shared() async throws {
        let (source, bell) = (Source(), Doorbell())
        let watch = watch(source, bell)
        try await withThrowingTaskGroup { group in
            for item in 1...200 {
                group.addTask { try await watch.wait(for: "a", item, atMost: .seconds(120)) { $0 >= item % 2 + 1 } }
            }
            // Each caller has queried once for itself. From then on, one query serves all.
            #expect(try await eventually { source.looks.contains { $0.count == 200 } })
            let before = source.looks.count
            source.set(1)
            bell.ring()
            for _ in 1...100 { try await group.next() }
            #expect(try await eventually { source.looks.last?.count == 100 })
            source.set(2)
            bell.ring()
            try await group.waitForAll()
            // Rings and the slow fallback make a few queries, and none of them is for one caller only.
            #expect(source.looks.count - before < 100)
        }
    }

    @Test("a change is found without a ring too")
    func unrung() async throws {
        let source = Source()
        let watch = watch(source, Doorbell())
        async let told: Void = watch.wait(for: "a", 1, atMost: .seconds(120)) { $0 > 0 }
        #expect(try await eventually { source.looks.count >= 2 })
        source.set(1)
        try await told
    }

    @Test("waiting ends after its time or when cancelled, and then nothing is queried")
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

    @Test("the error of a query reaches all waiting callers")
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
