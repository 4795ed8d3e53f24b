import Foundation
import Storage
import Testing

@testable import HTTPAPI

/// The decisions about requests, one step at a time.
@Suite("Fair queue")
struct FairQueueTests {
    private final class Waiter: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// Shares in a reference type, so that an expectation can change them.
    private final class Desk {
        var queue: FairQueue<Waiter>

        init(_ limits: FairQueue<Waiter>.Limits) { queue = FairQueue(limits: limits) }

        var working: Int { queue.working }
        var waiting: Int { queue.waiting }
        var isEmpty: Bool { queue.isEmpty }

        func request(_ name: String, _ claimant: Claimant) -> FairQueue<Waiter>.Admission {
            queue.request(Waiter(name), for: claimant)
        }

        func requests(_ claimant: Claimant, _ count: Int) -> [FairQueue<Waiter>.Admission] {
            (0..<count).map { _ in request("", claimant) }
        }

        func request(
            _ waiter: Waiter, for claimant: Claimant, isReturning: Bool = false
        ) -> FairQueue<Waiter>.Admission {
            queue.request(waiter, for: claimant, isReturning: isReturning)
        }

        func leave(_ claimant: Claimant) -> [Waiter] { queue.leave(claimant) }
        func withdraw(_ waiter: Waiter, of claimant: Claimant) -> Bool { queue.withdraw(waiter, of: claimant) }
        func watch(_ claimant: Claimant) -> Bool { queue.watch(claimant) }
        func unwatch(_ claimant: Claimant) { queue.unwatch(claimant) }
    }

    private static let (acme, other, third) = (owner(), owner(), owner())

    private static func owner() -> Claimant.Owner { .organization(ID<Organization>()) }

    private static func caller(of owner: Claimant.Owner) -> Claimant { Claimant(owner: owner, caller: UUID()) }

    /// Shares of eight slots: at most six for an owner, four for a caller, and two for all visitors.
    private func desk(_ change: (inout FairQueue<Waiter>.Limits) -> Void = { _ in }) -> Desk {
        var limits = FairQueue<Waiter>.Limits(slots: 8)
        change(&limits)
        return Desk(limits)
    }

    @Test("a caller can have half of the slots, an owner three quarters, all visitors one quarter")
    func limits() {
        let desk = desk()
        let caller = Self.caller(of: Self.acme)
        #expect(desk.requests(caller, 5) == [.enter, .enter, .enter, .enter, .wait])
        #expect(desk.requests(Self.caller(of: Self.acme), 3) == [.enter, .enter, .wait])
        #expect(desk.requests(.visitor, 3) == [.enter, .enter, .wait])
        #expect(desk.working == 8 && desk.waiting == 3)
        #expect(desk.requests(Self.caller(of: Self.other), 1) == [.wait])
    }

    @Test("a sign-in does not wait for other visitors")
    func arrivals() {
        let desk = desk { $0.waitingOfVisitors = 1 }
        #expect(desk.requests(.visitor, 4) == [.enter, .enter, .wait, .refuse])
        #expect(desk.requests(.arrival, 4) == [.enter, .enter, .wait, .refuse])
        #expect(desk.requests(Self.caller(of: Self.acme), 1) == [.enter])
    }

    @Test("a small number of slots is shared too", arguments: [0, 1, 2, 3])
    func fewSlots(count: Int) {
        let desk = Desk(.init(slots: count))
        #expect(desk.requests(Self.caller(of: Self.acme), 1) == [.enter])
        #expect(desk.requests(.visitor, 1) == [.enter])
    }

    @Test("free slots go to the owners in turn, and to the callers of each owner in turn")
    func turns() {
        let desk = desk()
        let (greedy, second) = (Self.caller(of: Self.acme), Self.caller(of: Self.acme))
        let (one, two) = (Self.caller(of: Self.other), Self.caller(of: Self.third))
        // All slots are taken: four by one caller, two by another caller of the same owner, two by another owner.
        #expect(desk.requests(greedy, 4) == Array(repeating: .enter, count: 4))
        #expect(desk.requests(second, 2) == [.enter, .enter])
        #expect(desk.requests(one, 2) == [.enter, .enter])
        for (name, claimant) in [
            ("greedy 1", greedy), ("greedy 2", greedy), ("greedy 3", greedy), ("second 1", second), ("other 1", one),
            ("third 1", two),
        ] {
            #expect(desk.request(Waiter(name), for: claimant) == .wait)
        }
        var entered: [String] = []
        for claimant in [greedy, greedy, greedy, greedy, second, second] {
            entered += desk.leave(claimant).map(\.name)
        }
        #expect(entered == ["greedy 1", "other 1", "third 1", "second 1", "greedy 2", "greedy 3"])
        #expect(desk.waiting == 0)
    }

    @Test("a caller with a full share is skipped, and gets a slot when one of its requests ends")
    func passedOver() {
        let desk = desk()
        let (greedy, one) = (Self.caller(of: Self.acme), Self.caller(of: Self.other))
        #expect(desk.requests(greedy, 5).last == .wait)
        #expect(desk.requests(one, 4) == Array(repeating: .enter, count: 4))
        #expect(desk.request(Waiter("visitor"), for: .visitor) == .wait)
        #expect(desk.leave(one).map(\.name) == ["visitor"])
        #expect(desk.leave(.visitor).isEmpty, "the greedy caller has half of the slots")
        #expect(desk.leave(greedy).count == 1)
        #expect(desk.waiting == 0)
    }

    @Test("queues have limits: per caller, per owner, for visitors and in total")
    func bounds() {
        let desk = desk {
            ($0.waitingOfCaller, $0.waitingOfOwner, $0.waitingOfVisitors, $0.waiting) = (3, 5, 2, 9)
        }
        func waiting(_ claimant: Claimant) -> Int { desk.requests(claimant, 20).count { $0 == .wait } }
        #expect(waiting(Self.caller(of: Self.acme)) == 3)
        #expect(waiting(Self.caller(of: Self.acme)) == 2)
        #expect(waiting(Self.caller(of: Self.acme)) == 0)
        #expect(waiting(.visitor) == 2)
        #expect(waiting(Self.caller(of: Self.other)) == 2)
        #expect(waiting(Self.caller(of: Self.third)) == 0)
        #expect(desk.waiting == 9)
        let returning = Waiter("")
        #expect(desk.request(returning, for: .visitor, isReturning: true) == .wait, "it had a slot before")
        #expect(desk.withdraw(returning, of: .visitor))
        #expect(!desk.withdraw(returning, of: .visitor))
    }

    @Test("a request that gives up is removed, and no share remains at the end")
    func withdrawing() {
        let desk = desk()
        let caller = Self.caller(of: Self.acme)
        #expect(desk.requests(caller, 4) == Array(repeating: .enter, count: 4))
        let waiters = ["a", "b", "c"].map(Waiter.init)
        for waiter in waiters { #expect(desk.request(waiter, for: caller) == .wait) }
        #expect(desk.withdraw(waiters[0], of: caller))
        #expect(desk.leave(caller).map(\.name) == ["b"])
        #expect(desk.withdraw(waiters[2], of: caller))
        for _ in 0..<4 { #expect(desk.leave(caller).isEmpty) }
        #expect(desk.working == 0 && desk.waiting == 0 && desk.isEmpty)
    }

    @Test("the requests that wait for events are limited per caller and per owner")
    func watching() {
        let desk = desk { ($0.watchingOfCaller, $0.watchingOfOwner) = (2, 3) }
        let (one, two) = (Self.caller(of: Self.acme), Self.caller(of: Self.acme))
        #expect([one, one, one].map { desk.watch($0) } == [true, true, false])
        #expect([two, two].map { desk.watch($0) } == [true, false])
        #expect(desk.watch(Self.caller(of: Self.other)))
        desk.unwatch(one)
        #expect(desk.watch(two))
    }

    @Test("no slot is lost, no share is exceeded, and no request waits while it could have a slot")
    func anything() {
        var random = SplitMix(seed: 42)
        let desk = desk { $0.waitingOfCaller = 10 }
        let owners: [Claimant.Owner] = [Self.acme, Self.other, Self.third]
        let claimants = owners.flatMap { owner in (0..<3).map { _ in Self.caller(of: owner) } } + [.visitor]
        var working: [Claimant: Int] = [:]
        var waiters: [(Waiter, Claimant)] = []
        func inWork(_ owner: Claimant.Owner) -> Int {
            working.filter { $0.key.owner == owner }.values.reduce(0, +)
        }
        for _ in 0..<20_000 {
            let claimant = claimants[Int.random(in: 0..<claimants.count, using: &random)]
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let waiter = Waiter("")
                switch desk.request(waiter, for: claimant) {
                case .enter: working[claimant, default: 0] += 1
                case .wait: waiters.append((waiter, claimant))
                case .refuse: break
                }
            case 2 where !waiters.isEmpty:
                let (waiter, claimant) = waiters.remove(at: Int.random(in: 0..<waiters.count, using: &random))
                #expect(desk.withdraw(waiter, of: claimant))
            default:
                guard working[claimant] ?? 0 > 0 else { continue }
                working[claimant, default: 0] -= 1
                for entered in desk.leave(claimant) {
                    let index = waiters.firstIndex { $0.0 === entered }
                    guard let index else {
                        Issue.record("someone entered who does not wait")
                        return
                    }
                    working[waiters.remove(at: index).1, default: 0] += 1
                }
            }
            let all = working.values.reduce(0, +)
            #expect(desk.working == all && all <= 8 && desk.waiting == waiters.count)
            #expect(working.values.allSatisfy { $0 <= 4 } && owners.allSatisfy { inWork($0) <= 6 })
            #expect(working[.visitor] ?? 0 <= 2)
            guard all < 8 else { continue }
            let couldEnter = waiters.contains { _, claimant in
                let maximum = claimant == .visitor ? 2 : 6
                return working[claimant] ?? 0 < 4 && inWork(claimant.owner) < maximum
                    && (claimant != .visitor || working[.visitor] ?? 0 < 2)
            }
            #expect(!couldEnter)
        }
    }
}

/// Random numbers with a fixed seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
