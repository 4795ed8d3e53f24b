import ContentCoding
import Testing

@testable import Serving
@testable import Snapshot

@Suite("Serving table")
struct ServingTableTests {
    @Test("every one of 20,000 hosts is found, and no other host")
    func large() throws {
        let prepared = try PreparedFile(Blob(file(1)), cacheControl: "public", encoder: GzipEncoder())
        let entries = (0..<20_000).map { entry("h\($0).example", activation: 1, version: Int64($0 + 1)) }
        let table = ServingTable(ServedSnapshot(manifest: try Manifest(activation: 1, entries: entries))) { _ in
            prepared
        }
        #expect(table.count == 20_000)
        for index in 0..<20_000 {
            guard case .file(_, let version) = table.answer("h\(index).example") else {
                Issue.record("h\(index) is missing")
                return
            }
            #expect(version == Int64(index + 1))
        }
        for host in ["", "h.example", "h20000.example", "h1.exampl", "h1.example.x", "1.example"] {
            if case .unknown = table.answer(host) { continue }
            Issue.record("\(host) was found")
        }
    }

    @Test("an empty table knows no host")
    func empty() throws {
        let table = ServingTable(ServedSnapshot(manifest: try Manifest(activation: 0, entries: []))) { _ in nil }
        guard case .unknown = table.answer("a.example") else {
            Issue.record("the empty table found a host")
            return
        }
    }

    @Test("a file is prepared once, however many hosts serve it")
    func shared() throws {
        var count = 0
        let entries = (0..<50).map { entry("h\($0).example", activation: 1, file: $0 % 2) }
        let snapshot = ServedSnapshot(manifest: try Manifest(activation: 1, entries: entries))
        _ = try ServingTable(snapshot) { (wanted) throws(BlobError) in
            count += 1
            return try PreparedFile(
                Blob(wanted.sha256 == hash(0) ? file(0) : file(1)), cacheControl: "public", encoder: GzipEncoder())
        }
        #expect(count == 2)
    }

    @Test("a held entry replaces the manifest's, and a host without a file is unavailable, not unknown")
    func exceptions() throws {
        let manifest = try Manifest(
            activation: 9,
            entries: [
                entry("a.example", activation: 9, version: 12, file: 1),
                entry("b.example", activation: 8, version: 345, file: 2),
                entry("c.example", activation: 7, version: 1, file: 3),
            ])
        let held = [
            entry("a.example", activation: 2, version: 11, file: 4), entry("gone.example", activation: 3, file: 1),
        ]
        let snapshot = ServedSnapshot(manifest: manifest, held: held, unavailable: ["c.example", "d.example"])
        #expect(snapshot.count == 3)
        let table = try ServingTable(snapshot) { (wanted) throws(BlobError) in
            try (1...4).first { hash($0) == wanted.sha256 }.map {
                number throws(BlobError) in
                PreparedFile(try Blob(file(number)), cacheControl: "", encoder: GzipEncoder())
            }
        }
        var found: [String: Int64] = [:]
        for host in ["a", "b", "c", "d", "gone", "e", "a.exampl"].map({ "\($0).example" }) {
            switch table.answer(host) {
            case .file(let file, let version):
                found[host] = version
                if host == "a.example" { #expect(file.sha256 == hash(4)) }
            case .unavailable: found[host] = -1
            case .unknown: break
            }
        }
        #expect(
            found == [
                "a.example": 11, "b.example": 345, "gone.example": 1, "c.example": -1, "d.example": -1,
            ])
        #expect(table.count == 5)
    }

    @Test("dates have the format of RFC 9110")
    func date() {
        #expect(HTTPDate.text(of: 784_111_777) == Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8))
        #expect(HTTPDate.text(of: 0) == Array("Thu, 01 Jan 1970 00:00:00 GMT".utf8))
        #expect(HTTPDate.text(of: 951_868_799) == Array("Tue, 29 Feb 2000 23:59:59 GMT".utf8))
        #expect(HTTPDate.text(of: 951_868_800) == Array("Wed, 01 Mar 2000 00:00:00 GMT".utf8))
        #expect(HTTPDate.text(of: 4_107_542_400) == Array("Mon, 01 Mar 2100 00:00:00 GMT".utf8))
        #expect(HTTPDate.text(of: 1_709_251_199) == Array("Thu, 29 Feb 2024 23:59:59 GMT".utf8))
    }
}
