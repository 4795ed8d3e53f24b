import NIOConcurrencyHelpers
import NIOHTTP1
import StrictJSON
import TestSupport
import Testing

@testable import Serving

@Suite("Reports", .timeLimit(.minutes(1)))
struct ReporterTests {
    private func fetch(_ host: String, count: Int = 1, last: Int = 10) -> Fetch {
        Fetch(
            key: Fetch.Key(host: host, version: 3, client: .appleCDN), count: count, first: last - 5, last: last)
    }

    private func progress(_ activation: Int64) -> PendingReport.Progress {
        var status = FollowerStatus()
        status.activation = activation
        return PendingReport.Progress(status)
    }

    private func object(_ body: [UInt8]) throws -> JSONObject {
        try #require(try JSONDocument(parsing: body, limits: JSONLimits(bytes: body.count)).root.object)
    }

    @Test("an unanswered report is sent again unchanged; new counts follow with the next one")
    func again() throws {
        var pending = PendingReport(consumer: "edge \"1\"", kind: "edge", process: "p")
        #expect(pending.isNews(progress(1)))
        _ = pending.add([fetch("a.example", count: 2), fetch("a.example", count: 3, last: 20)])
        let first = pending.next(progress(1))
        _ = pending.add([fetch("b.example")])
        #expect(pending.next(progress(2)) == first)
        pending.answered()
        #expect(pending.isNews(progress(2)))
        let second = try object(pending.next(progress(2)))
        pending.answered()
        #expect(!pending.hasFetches && !pending.isNews(progress(2)))
        let one = try object(first)
        #expect(one["consumer"]?.string == "edge \"1\"")
        #expect(one["sequence"]?.int == 1 && second["sequence"]?.int == 2)
        #expect(one["activation"]?.int == 1 && second["activation"]?.int == 2)
        let counted = try #require(one["fetches"]?.array?.first?.object)
        #expect(counted["count"]?.int == 5 && counted["first"]?.int == 5 && counted["last"]?.int == 20)
        #expect(second["fetches"]?.array?.count == 1)
    }

    @Test("a problem is reported when it begins and when it ends")
    func trouble() throws {
        var pending = PendingReport(consumer: "edge", kind: "edge", process: "p")
        var status = FollowerStatus()
        func told() throws -> JSONValue? {
            let progress = PendingReport.Progress(status)
            guard pending.isNews(progress) else { return nil }
            let body = pending.next(progress)
            pending.answered()
            return try object(body)["trouble"]
        }
        #expect(try told() == .null)
        status.trouble = "the disk is full"
        #expect(try told() == "the disk is full")
        #expect(try told() == nil)
        status.trouble = nil
        #expect(try told() == .null)
    }

    @Test("a report holds a thousand rows and the rest follows; rows above the limit are dropped and counted")
    func limits() throws {
        var pending = PendingReport(consumer: "edge", kind: "edge", process: "p")
        let many = (0..<PendingReport.maximumWaitingFetches).map { fetch("h\($0).example") }
        #expect(pending.add(many) == 0)
        #expect(pending.add([fetch("more.example", count: 7)]) == 7)
        #expect(pending.add([fetch("h0.example")]) == 0)
        #expect(try object(pending.next(progress(1)))["fetches"]?.array?.count == PendingReport.maximumSentFetches)
        pending.answered()
        #expect(pending.hasFetches)
    }

    @Test(
        "an applied snapshot is reported immediately; a report that did not arrive is sent again, with the credential"
    )
    func telling() async throws {
        let status = NIOLockedValueBox(FollowerStatus())
        let answers = NIOLockedValueBox([503, 401])
        let server = try await ScriptedServer { _ in
            .answer(answers.withLockedValue { $0.isEmpty ? 204 : $0.removeFirst() })
        }
        let reporter = Reporter(
            consumer: "edge-1", kind: .edge, status: { status.withLockedValue { $0 } }, fetches: nil,
            baseURL: server.baseURL, credential: ConsumerCredential("secret"), timing: Reporter.Timing(),
            logger: quietLogger)
        let running = Task { try await reporter.run() }
        func told(_ count: Int) async throws {
            while server.requests.count < count { try await Task.sleep(for: .milliseconds(5)) }
        }
        try await told(3)
        // Everything is reported: the next report waits for news.
        try await Task.sleep(for: .milliseconds(300))
        #expect(server.requests.count == 3)
        status.withLockedValue { $0.activation = 7 }
        try await told(4)
        #expect(server.requests.allSatisfy { $0.uri == "/internal/reports" && $0.method == .POST })
        #expect(server.requests.allSatisfy { $0.headers.first(name: "Authorization") == "Bearer secret" })
        running.cancel()
        _ = try? await running.value
        try await server.close()
    }

    @Test("a report that the API cannot read is dropped, and the next one is sent")
    func refused() async throws {
        let status = NIOLockedValueBox(FollowerStatus())
        let server = try await ScriptedServer { _ in .answer(422) }
        let reporter = Reporter(
            consumer: "edge-1", kind: .edge, status: { status.withLockedValue { $0 } }, fetches: nil,
            baseURL: server.baseURL, credential: ConsumerCredential("secret"), timing: Reporter.Timing(),
            logger: quietLogger)
        let running = Task { try await reporter.run() }
        while server.requests.count < 1 { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(600))
        #expect(server.requests.count == 1)
        running.cancel()
        _ = try? await running.value
        try await server.close()
    }
}
