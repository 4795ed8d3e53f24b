import Testing
import Timing

@testable import Postgres

@Suite("The pool's state") struct PoolStateTests {
    final class Caller: Sendable {
        let name: Int
        init(_ name: Int) { self.name = name }
    }

    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private func state(connections: Int = 2, waiters: Int = 4) -> PoolState<Caller> {
        PoolState(
            limits: .init(connections: connections, waiters: waiters, wait: .seconds(2), idle: .seconds(60)))
    }

    @Test("one connection is opened for each waiting caller, up to the limit")
    func opens() {
        var pool = state()
        let answer1 = pool.request(Caller(1), until: .distantFuture, now: start)
        #expect(answer1 == .wait(open: 0))
        let answer2 = pool.request(Caller(2), until: .distantFuture, now: start)
        #expect(answer2 == .wait(open: 1))
        let answer3 = pool.request(Caller(3), until: .distantFuture, now: start)
        #expect(answer3 == .wait(open: nil))
        #expect(pool.openCount == 2)
    }

    @Test("no connection is opened if another attempt already serves the caller")
    func oneAttempt() {
        var pool = state()
        let caller = Caller(1)
        let answer4 = pool.request(caller, until: .distantFuture, now: start)
        #expect(answer4 == .wait(open: 0))
        let isWithdrawn = pool.withdraw(caller)
        #expect(isWithdrawn)
        let answer5 = pool.request(Caller(2), until: .distantFuture, now: start)
        #expect(answer5 == .wait(open: nil))
    }

    @Test("callers are served in the order of their arrival")
    func fair() {
        var pool = state(connections: 1, waiters: 200)
        for name in 0..<200 { _ = pool.request(Caller(name), until: .distantFuture, now: start) }
        let order = (0..<200).map { _ in pool.ready(0, now: start)?.name }
        #expect(order == Array(0..<200))
        let answer6 = pool.ready(0, now: start)
        #expect(answer6 == nil)
    }

    @Test("a caller is refused if too many are waiting")
    func crowded() {
        var pool = state(connections: 1, waiters: 2)
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.request(Caller(2), until: .distantFuture, now: start)
        let answer7 = pool.request(Caller(3), until: .distantFuture, now: start)
        #expect(answer7 == .refuse(.crowded))
    }

    @Test("the most recently used idle connection is given out first")
    func lastUsed() {
        var pool = state()
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.request(Caller(2), until: .distantFuture, now: start)
        _ = pool.ready(0, now: start)
        _ = pool.ready(1, now: start)
        _ = pool.ready(1, now: start)
        _ = pool.ready(0, now: start)
        let answer8 = pool.request(Caller(3), until: .distantFuture, now: start)
        #expect(answer8 == .assign(slot: 0))
        let answer9 = pool.request(Caller(4), until: .distantFuture, now: start)
        #expect(answer9 == .assign(slot: 1))
    }

    @Test("a caller stops waiting at the limit or at its own deadline, whichever is earlier")
    func expiry() {
        var pool = state(connections: 1)
        _ = pool.request(Caller(1), until: start + .milliseconds(500), now: start)
        _ = pool.request(Caller(2), until: .distantFuture, now: start)
        #expect(pool.nextDue == start + .milliseconds(500))
        let answer10 = pool.due(now: start + .milliseconds(499))
        #expect(answer10.expired.isEmpty)
        let answer11 = pool.due(now: start + .milliseconds(500))
        #expect(answer11.expired.map(\.name) == [1])
        let answer12 = pool.due(now: start + .seconds(2))
        #expect(answer12.expired.map(\.name) == [2])
        #expect(pool.waiting == 0)
    }

    @Test("only connections that were idle for too long are closed")
    func surplus() {
        var pool = state()
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.request(Caller(2), until: .distantFuture, now: start)
        _ = pool.ready(0, now: start)
        _ = pool.ready(1, now: start)
        _ = pool.ready(0, now: start)
        _ = pool.ready(1, now: start + .seconds(30))
        let answer13 = pool.due(now: start + .seconds(59))
        #expect(answer13.surplus.isEmpty)
        let answer14 = pool.due(now: start + .seconds(60))
        #expect(answer14.surplus == [0])
        // The connection is being closed, so no caller gets it.
        let answer15 = pool.request(Caller(3), until: .distantFuture, now: start + .seconds(60))
        #expect(answer15 == .assign(slot: 1))
        let answer16 = pool.lost(0, now: start + .seconds(60))
        #expect(answer16 == nil)
        #expect(pool.openCount == 1)
    }

    @Test(
        "if no connection can be made, all waiting callers fail, and new ones are refused until the next attempt is due"
    )
    func unreachable() {
        var pool = state()
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.request(Caller(2), until: .distantFuture, now: start)
        let answer17 = pool.openingFailed(0, now: start, chance: 1)
        #expect(answer17.isEmpty, "another attempt is still under way")
        let answer18 = pool.openingFailed(1, now: start, chance: 1)
        #expect(answer18.map(\.name) == [1, 2])
        let answer19 = pool.request(Caller(3), until: .distantFuture, now: start + .milliseconds(199))
        #expect(answer19 == .refuse(.unreachable))
        let answer20 = pool.request(Caller(4), until: .distantFuture, now: start + .milliseconds(200))
        #expect(answer20 == .wait(open: 0))
    }

    @Test("pauses grow after each failure, up to a limit, and start again after a success")
    func backOff() {
        var pool = state(connections: 1)
        var now = start
        for expected in [100, 200, 400, 800, 1000, 1000, 1000] as [Int] {
            _ = pool.request(Caller(1), until: .distantFuture, now: now)
            _ = pool.openingFailed(0, now: now, chance: 1)
            let answer21 = pool.request(Caller(2), until: .distantFuture, now: now + .milliseconds(expected - 1))
            #expect(answer21 == .refuse(.unreachable))
            now = now + .milliseconds(expected)
        }
        _ = pool.request(Caller(3), until: .distantFuture, now: now)
        _ = pool.ready(0, now: now)
        _ = pool.lost(0, now: now)
        _ = pool.request(Caller(4), until: .distantFuture, now: now)
        _ = pool.openingFailed(0, now: now, chance: 0)
        let answer22 = pool.request(Caller(5), until: .distantFuture, now: now + .milliseconds(50))
        #expect(answer22 == .wait(open: 0))
    }

    @Test("if an attempt fails while other connections exist, callers keep waiting and it is tried again later")
    func partial() {
        var pool = state()
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.ready(0, now: start)
        let answer23 = pool.request(Caller(2), until: .distantFuture, now: start)
        #expect(answer23 == .wait(open: 1))
        let answer24 = pool.openingFailed(1, now: start, chance: 1)
        #expect(answer24.isEmpty)
        let answer25 = pool.request(Caller(3), until: .distantFuture, now: start)
        #expect(answer25 == .wait(open: nil))
        let answer26 = pool.due(now: start + .milliseconds(100))
        #expect(answer26.open == [1])
        let answer27 = pool.ready(0, now: start)
        #expect(answer27?.name == 2)
    }

    @Test("a lost connection is replaced if a caller waits")
    func replaces() {
        var pool = state(connections: 1)
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.ready(0, now: start)
        let answer28 = pool.request(Caller(2), until: .distantFuture, now: start)
        #expect(answer28 == .wait(open: nil))
        let answer29 = pool.lost(0, now: start)
        #expect(answer29 == 0)
        let answer30 = pool.ready(0, now: start)
        #expect(answer30?.name == 2)
    }

    @Test("a caller that was given a dead connection returns to the front of the queue")
    func putBack() {
        var pool = state(connections: 1)
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.ready(0, now: start)
        _ = pool.request(Caller(2), until: .distantFuture, now: start)
        pool.putBack(Caller(0), until: .distantFuture, now: start)
        let answer31 = pool.lost(0, now: start)
        #expect(answer31 == 0)
        let answer32 = pool.ready(0, now: start)
        #expect(answer32?.name == 0)
        let answer33 = pool.ready(0, now: start)
        #expect(answer33?.name == 2)
    }

    @Test("a closed pool refuses every caller, and drops waiting callers and idle connections")
    func closed() {
        var pool = state()
        _ = pool.request(Caller(1), until: .distantFuture, now: start)
        _ = pool.ready(0, now: start)
        _ = pool.ready(0, now: start)
        let closed = pool.close()
        #expect(closed.idle == [0])
        let answer34 = pool.request(Caller(2), until: .distantFuture, now: start)
        #expect(answer34 == .refuse(.closed))
        let answer35 = pool.lost(0, now: start)
        #expect(answer35 == nil)
        #expect(pool.openCount == 0)
    }
}
