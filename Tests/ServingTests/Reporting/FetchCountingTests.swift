import Testing

@testable import Serving
@testable import Snapshot

@Suite("Fetch counts")
struct FetchCountingTests {
    @Test("only 200 and 304 answers are counted, by host, version and kind of client")
    func counting() async throws {
        let table = try liveTable(["www.example": file(1), "shop.example": file(2)], unavailable: ["late.example"])
        let log = FetchLog()
        try await withEdge(table, fetches: log) { (edge) async throws in
            let bot = "User-Agent: AASA-Bot/1.0.0"
            _ = try await edge.get(fields: [bot])
            _ = try await edge.get("/apple-app-site-association", host: "WWW.Example:443", fields: [bot])
            _ = try await edge.get(fields: [bot, "If-None-Match: *"])
            _ = try await edge.get(method: "HEAD", fields: ["user-agent: swcd (unknown version) CFNetwork/1568"])
            _ = try await edge.get(host: "shop.example")
            _ = try await edge.get(host: "shop.example", fields: ["User-Agent: not AASA-Bot"])
            for (target, host, method) in [
                ("/", "www.example", "GET"), ("/apple-app-site-association", "nobody.example", "GET"),
                ("/apple-app-site-association", "late.example", "GET"),
                ("/apple-app-site-association", "www.example", "POST"),
            ] {
                _ = try await edge.get(target, host: host, method: method)
            }
            let (fetches, dropped) = await log.take()
            var counts: [String: Int] = [:]
            for fetch in fetches {
                counts["\(fetch.key.host) \(fetch.key.version) \(fetch.key.client)", default: 0] += fetch.count
                #expect(fetch.first > 1_700_000_000 && fetch.last >= fetch.first)
            }
            #expect(
                counts == ["www.example 12 appleCDN": 3, "www.example 12 device": 1, "shop.example 12 other": 2])
            #expect(dropped == 0)
            #expect(await log.take().fetches.isEmpty)
        }
    }

    @Test("any number of versions of a host are counted separately")
    func versions() {
        var counts = FetchCounts()
        for round in 1...2 {
            for version in Int64(1)...1_000 {
                _ = HostField.withNormalized("www.example".utf8) {
                    counts.note($0, version: version, client: .other, now: round)
                }
            }
        }
        #expect(Set(counts.rows.map(\.version)).count == 1_000)
        #expect(counts.rows.allSatisfy { $0.count == 2 })
    }

    @Test("any number of rows are found again, and fetches above the limit count as dropped")
    func limit() {
        var counts = FetchCounts()
        func note(_ host: String, now: Int) {
            _ = HostField.withNormalized(host.utf8) { counts.note($0, version: 1, client: .other, now: now) }
        }
        for round in 1...2 {
            for index in 0..<FetchCounts.maximumRows { note("h\(index).example", now: round) }
        }
        #expect(counts.rows.count == FetchCounts.maximumRows)
        #expect(counts.rows.allSatisfy { $0.count == 2 && $0.first == 1 && $0.last == 2 })
        #expect(counts.dropped == 0)
        for _ in 0..<3 { note("one-more.example", now: 3) }
        note("h0.example", now: 3)
        #expect(counts.rows.count == FetchCounts.maximumRows)
        #expect(counts.dropped == 3)
        #expect(counts.rows.first.map { ($0.count, $0.last) } ?? (0, 0) == (3, 3))
    }
}
