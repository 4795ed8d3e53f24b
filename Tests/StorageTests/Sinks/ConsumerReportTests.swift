import AASA
import FoundationEssentials
import Postgres
import Storage
import Testing

@Suite("Reports of consumers")
struct ConsumerReportTests {
    static let now = Int(Date().timeIntervalSince1970)

    private func report(
        _ sequence: Int, process: String = "p", activation: Int? = 1, held: [String] = [], heldCount: Int? = nil,
        trouble: String? = nil, fetches: [ConsumerReport.Fetches] = []
    ) -> ConsumerReport {
        ConsumerReport(
            consumer: "edge-1", kind: .edge, process: process, sequence: sequence, activation: activation, hosts: 1,
            held: held, heldCount: heldCount ?? held.count, trouble: trouble, fetches: fetches)
    }

    private func fetches(
        _ host: String, version: Int = 1, client: ConsumerReport.Client = .appleCDN, count: Int = 1,
        first: Int = now - 60, last: Int = now - 30
    ) -> ConsumerReport.Fetches {
        ConsumerReport.Fetches(host: host, version: version, client: client, count: count, first: first, last: last)
    }

    @Test("fetches are added by version and client, and a repeated report counts once")
    func counting() async throws {
        let host = try Host("www.example.com")
        try await withStore { store in
            _ = try await store.write {
                _ = try $0.createDomain(host)
                return try $0.claim(host)
            }
            let first = report(1, fetches: [fetches("www.example.com", count: 3), fetches("www.example.com")])
            for _ in 0..<2 { try await store.store.record(first) }
            func counts() async throws -> [Int] {
                try await store.read { try $0.serving(of: host) }.fetches.map(\.count).sorted()
            }
            #expect(try await counts() == [4])
            try await store.store.record(
                report(2, fetches: [fetches("www.example.com", version: 2, client: .device, last: Self.now + 9_999)]))
            try await store.store.record(report(1, fetches: [fetches("www.example.com")]))
            #expect(try await counts() == [1, 4])
            // After a restart the consumer counts from 1 again.
            try await store.store.record(report(1, process: "q", fetches: [fetches("www.example.com")]))
            let serving = try await store.read { try $0.serving(of: host) }
            #expect(serving.fetches.map(\.version) == [2, 1])
            #expect(serving.fetches.map(\.client) == [.device, .appleCDN])
            #expect(serving.fetches.map(\.count) == [1, 5])
            #expect(serving.fetches.allSatisfy { $0.lastAt <= Date().addingTimeInterval(5) })
        }
    }

    @Test("each organization gets the fetches of the hosts that it has claimed, and no others")
    func organizations() async throws {
        let host = try Host("www.example.com")
        let shared = try Host("shared.example.com")
        try await withStore { first in
            let second = try await first.another("second")
            for store in [first, second] { _ = try await store.write { try $0.createDomain(shared) } }
            _ = try await first.write { try $0.claim(shared) }
            _ = try await second.write {
                _ = try $0.createDomain(host)
                return try $0.claim(host)
            }
            try await first.store.record(
                report(
                    1,
                    fetches: [
                        fetches("www.example.com", count: 5), fetches("shared.example.com", count: 7),
                        fetches("nobody.example.com"),
                    ]))
            #expect(try await first.read { try $0.serving(of: shared) }.fetches.map(\.count) == [7])
            #expect(try await second.read { try $0.serving(of: shared) }.fetches == [])
            #expect(try await second.read { try $0.serving(of: host) }.fetches.map(\.count) == [5])
            await #expect(throws: StorageError.notFound(kind: "domain", key: "www.example.com")) {
                try await first.read { try $0.serving(of: host) }
            }
        }
    }

    @Test("a consumer serves the live version once it has applied the activation and does not hold the host")
    func lag() async throws {
        let host = try Host("www.example.com")
        try await withStore { store in
            _ = try await store.write { try $0.createDomain(host) }
            try await store.store.record(report(1, activation: nil))
            let before = try await store.read { try $0.serving(of: host) }
            #expect(before.live == nil)
            #expect(before.consumers.map(\.isCurrent) == [nil])
            let live = try await store.write { tenant -> Int64 in
                _ = try tenant.claim(host)
                let version = try tenant.freezeSample(host, path: "/")
                guard case .done(let number) = try tenant.activate(version, of: host, expecting: .anything) else {
                    throw StorageError.claimedElsewhere
                }
                return number
            }
            let cases: [(ConsumerReport, Bool)] = [
                (report(2, activation: Int(live) - 1), false), (report(3, activation: Int(live)), true),
                (report(4, activation: Int(live), held: ["www.example.com"]), false),
                (report(5, activation: Int(live), held: ["a.example.com"]), true),
                (report(6, activation: Int(live), held: ["a.example.com"], heldCount: 101), false),
                (report(7, activation: Int(live) + 3), true),
                // An outdated report changes nothing.
                (report(6, activation: 0), true),
            ]
            for (report, isCurrent) in cases {
                try await store.store.record(report)
                let consumer = try #require(try await store.read { try $0.serving(of: host) }.consumers.first)
                #expect(consumer.isCurrent == isCurrent, "\(report)")
                #expect((consumer.lag == nil) == isCurrent, "\(report)")
            }
            try await store.asSuperuser { try $0.execute("update consumers set seen_at = now() - interval '25 hours'") }
            #expect(try await store.read { try $0.serving(of: host) }.consumers == [])
        }
    }

    @Test("an error keeps its start time while it changes, until the consumer reports no error")
    func trouble() async throws {
        let host = try Host("www.example.com")
        try await withStore { store in
            _ = try await store.write { try $0.createDomain(host) }
            func told() async throws -> (words: String?, since: Date?) {
                let consumer = try #require(try await store.read { try $0.serving(of: host) }.consumers.first)
                return (consumer.trouble, consumer.troubleSince)
            }
            try await store.store.record(report(1, trouble: "the disk is full"))
            let first = try await told()
            #expect(first.words == "the disk is full")
            #expect(first.since != nil)
            try await store.store.record(report(2, trouble: "the source does not answer"))
            let second = try await told()
            #expect(second.words == "the source does not answer")
            #expect(second.since == first.since)
            try await store.store.record(report(3))
            let well = try await told()
            #expect(well.words == nil && well.since == nil)
            try await store.store.record(report(4, trouble: "the disk is full"))
            let third = try #require(try await told().since)
            #expect(try third > #require(first.since))
        }
    }
}
