import AASA
import Storage
import Testing

/// The order of objects when many are due.
@Suite("Turns of objects")
struct SinkTurnTests {
    /// A sink without queued changes.
    private func withSink(_ body: (StoreUnderTest, Sink) async throws -> Void) async throws {
        try await withStore { test in
            try await body(test, test.store.write { try $0.openSink("main", at: "https://one/") })
        }
    }

    /// Makes hosts live and queues the changes.
    private func publish(_ hosts: [String], of test: StoreUnderTest, to sink: Sink) async throws {
        try await test.write { tenant in
            for host in hosts {
                try tenant.addVerified(Host(host))
                _ = try tenant.goLive(Host(host))
            }
        }
        _ = try await test.store.write { try $0.queueChanges(of: sink) }
    }

    private func hosts(_ name: String, _ count: Int) -> [String] { (0..<count).map { "\(name)\($0).example.com" } }

    @discardableResult
    private func claim(
        _ limit: Int, of sink: Sink, in test: StoreUnderTest, after claimed: Int = 0, leaseSeconds: Int = 600
    ) async throws -> [SinkObject] {
        try await test.store.write {
            try $0.claimObjects(of: sink, atMost: limit, after: claimed, leaseSeconds: leaseSeconds)
        }
    }

    @Test("a single publication does not wait for all the changes of another organization")
    func single() async throws {
        try await withSink { test, sink in
            try await publish(hosts("many", 60), of: test, to: sink)
            // The objects before it have been claimed.
            try await claim(60, of: sink, in: test)
            let other = try await test.another("other")
            try await publish(["single.example.com"], of: other, to: sink)
            #expect(try await claim(2, of: sink, in: test).map(\.host) == ["single.example.com", "single.example.com"])
        }
    }

    @Test("organizations with changes in the same queue take turns")
    func together() async throws {
        try await withSink { test, sink in
            let other = try await test.another("other")
            try await test.write { tenant in
                for host in hosts("all", 20) {
                    try tenant.addVerified(Host(host))
                    _ = try tenant.goLive(Host(host))
                }
            }
            try await publish(hosts("some", 2), of: other, to: sink)
            let first = try await claim(8, of: sink, in: test).map { $0.host.prefix { $0 != "." } }
            #expect(Set(first) == ["all0", "some0", "all1", "some1"])
        }
    }

    @Test("failed objects do not come before changes, and get one of every four claims")
    func failed() async throws {
        try await withSink { test, sink in
            try await publish(hosts("failing", 6), of: test, to: sink)
            let failing = try await claim(12, of: sink, in: test)
            try await test.store.write { installation in
                for object in failing { try installation.postpone(object, seconds: 0, cause: "it is broken") }
            }
            try await publish(hosts("new", 6), of: test, to: sink)
            var fresh = try await claim(4, of: sink, in: test).filter { $0.host.hasPrefix("new") }.count
            #expect(fresh == 3)
            for claimed in 4..<8 {
                let objects = try await claim(1, of: sink, in: test, after: claimed)
                fresh += objects.filter { $0.host.hasPrefix("new") }.count
            }
            #expect(fresh == 6)
            let rest = try await claim(100, of: sink, in: test)
            #expect(rest.count == 16, "where there are few of one, there are more of the other")
        }
    }

    @Test("an object that is published again while it waits keeps its place")
    func again() async throws {
        try await withSink { test, sink in
            try await publish(hosts("first", 1), of: test, to: sink)
            try await publish(hosts("second", 1), of: test, to: sink)
            try await test.write { _ = try $0.goLive(Host("first0.example.com"), path: "/2") }
            _ = try await test.store.write { try $0.queueChanges(of: sink) }
            #expect(try await claim(2, of: sink, in: test).allSatisfy { $0.host == "first0.example.com" })
        }
    }

    @Test("a change that is given back comes first again, and a failed object returns as failed")
    func givenBack() async throws {
        try await withSink { test, sink in
            try await publish(hosts("a", 2), of: test, to: sink)
            let all = try await claim(4, of: sink, in: test)
            try await test.store.write { installation in
                for object in all where object.host.hasPrefix("a1") {
                    try installation.postpone(object, seconds: 0, cause: "it is broken")
                }
            }
            let failed = try await claim(4, of: sink, in: test)
            #expect(failed.map(\.attempts) == [2, 2])
            try await test.store.write { installation in
                for object in failed + all { try installation.giveBack(object) }
            }
            let objects = try await claim(2, of: sink, in: test)
            #expect(objects.allSatisfy { $0.host == "a0.example.com" && $0.attempts == 1 })
            #expect(try await claim(2, of: sink, in: test).map(\.attempts) == [2, 2])
        }
    }
}
