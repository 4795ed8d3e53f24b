import NIOHTTP1
import TestSupport
import Testing

@testable import Serving
@testable import Snapshot

@Suite("Snapshot over HTTP", .timeLimit(.minutes(3)))
struct HTTPSnapshotSourceTests {
    /// Runs `body` with a source whose server follows this script.
    func withSource(
        deadline: Duration = .seconds(30), _ script: @escaping @Sendable (HTTPRequestHead) -> ScriptedServer.Script,
        _ body: (HTTPSnapshotSource, ScriptedServer) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer(script)
        var deadlines = HTTPSnapshotSource.Deadlines()
        deadlines.manifest = deadline
        deadlines.blobs = deadline
        let source = HTTPSnapshotSource(
            baseURL: server.baseURL + "/", credential: ConsumerCredential("wm_secret"), deadlines: deadlines)
        do {
            try await body(source, server)
        } catch {
            await source.close()
            throw error
        }
        await source.close()
        try await server.close()
    }

    @Test("the manifest is requested with the credential, the tag and the wait")
    func manifest() async throws {
        try await withSource { _ in
            .answer(200, fields: [("ETag", "\"t\"")], body: [1, 2, 3])
        } _: { (source, server) async throws in
            let answer = try await source.manifest(unless: "\"old\"", wait: .seconds(20))
            #expect(answer == .manifest(signed: [1, 2, 3], tag: "\"t\""))
            let head = try #require(server.requests.first)
            #expect(head.uri == "/internal/manifest?wait=20")
            #expect(head.headers["authorization"] == ["Bearer wm_secret"])
            #expect(head.headers["if-none-match"] == ["\"old\""])
            _ = try await source.manifest(unless: nil, wait: .zero)
            #expect(server.requests.last?.headers["if-none-match"] == [])
        }
    }

    @Test("if the server sends no tag, the tag comes from the bytes")
    func ownTag() async throws {
        try await withSource { _ in
            .answer(200, body: [1])
        } _: { (source, _) async throws in
            let answer = try await source.manifest(unless: nil, wait: .zero)
            #expect(answer == .manifest(signed: [1], tag: Manifest.entityTag(of: [1])))
        }
    }

    @Test("a 304 means that nothing has changed")
    func notModified() async throws {
        try await withSource { _ in
            .answer(304)
        } _: { (source, _) async throws in
            #expect(try await source.manifest(unless: "\"t\"", wait: .zero) == .notModified)
        }
    }

    @Test(
        "any other status is an error, and a redirect is not followed",
        arguments: [204, 301, 307, 401, 403, 404, 500, 503])
    func statuses(status: Int) async throws {
        try await withSource { head in
            head.uri.hasPrefix("/elsewhere")
                ? .answer(200) : .answer(status, fields: [("Location", "/elsewhere")])
        } _: { (source, server) async throws in
            await #expect(throws: SnapshotSourceError.status(status)) {
                try await source.manifest(unless: nil, wait: .zero)
            }
            await #expect(throws: SnapshotSourceError.status(status)) { try await source.blobs([hash(1)]) }
            #expect(server.requests.count == 2)
        }
    }

    @Test("many blobs are requested by their hashes at a time, and an answer that is too long is refused")
    func blobs() async throws {
        let two = BlobList.bytes(of: [(hash(1), file(1)), (hash(2), file(2))])
        let tooMany = [UInt8](repeating: 1, count: BlobList.largest(1) + 1)
        try await withSource { head in
            .answer(200, body: head.headers["content-length"] == ["79"] ? tooMany : two)
        } _: { (source, server) async throws in
            #expect(try await source.blobs([hash(1), hash(2), hash(3)]) == [hash(1): file(1), hash(2): file(2)])
            let head = try #require(server.requests.first)
            #expect(head.method == .POST && head.uri == "/internal/blobs")
            #expect(head.headers["authorization"] == ["Bearer wm_secret"])
            await #expect(throws: SnapshotSourceError.tooLarge) { try await source.blobs([hash(2)]) }
        }
    }

    @Test("a server that stalls in the body or hangs up causes an error in time")
    func stalled() async throws {
        try await withSource(deadline: .milliseconds(400)) { head in
            head.uri.contains("manifest") ? .stall : .hangUp
        } _: { (source, _) async throws in
            let began = ContinuousClock.now
            await #expect(throws: SnapshotSourceError.timedOut) { try await source.manifest(unless: nil, wait: .zero) }
            await #expect(throws: SnapshotSourceError.self) { try await source.blobs([hash(1)]) }
            #expect(ContinuousClock.now - began < .seconds(30))
        }
        let gone = HTTPSnapshotSource(baseURL: "http://127.0.0.1:1", credential: ConsumerCredential("x"))
        await #expect(throws: SnapshotSourceError.self) { try await gone.manifest(unless: nil, wait: .zero) }
        await gone.close()
    }

    @Test("a follower starts from nothing over HTTP, and no error contains the credential")
    func follows() async throws {
        let key = try SigningKey()
        let root = try TemporaryDirectory()
        let signed = try Manifest(
            activation: 2,
            entries: [entry("a.example", activation: 1, file: 1), entry("b.example", activation: 2, file: 2)]
        ).signed(by: key)
        let files = BlobList.bytes(of: [(hash(1), file(1)), (hash(2), file(2))])
        try await withSource { head in
            if head.uri.hasPrefix("/internal/manifest") {
                let tag = Manifest.entityTag(of: signed)
                return head.headers["if-none-match"] == [tag]
                    ? .answer(304) : .answer(200, fields: [("ETag", tag)], body: signed)
            }
            return .answer(200, body: files)
        } _: { (source, server) async throws in
            let table = LiveTable()
            var configuration = SnapshotFollower.Configuration()
            configuration.pause = .milliseconds(10)
            let follower = SnapshotFollower(
                configuration: configuration, source: source, directory: try SnapshotDirectory(path: root.path),
                trusted: [key.verificationKey], consumer: table, logger: quietLogger)
            let task = Task { try await follower.run() }
            for _ in 0..<6000 where follower.status.contacts < 4 { try await Task.sleep(for: .milliseconds(10)) }
            task.cancel()
            try await task.value
            #expect(follower.status.hosts == 2)
            #expect(table.current?.count == 2)
            #expect(server.requests.filter { $0.uri.hasPrefix("/internal/manifest") }.count >= 4)
            #expect(server.requests.filter { $0.uri == "/internal/blobs" }.count == 1)
            #expect(follower.status.trouble?.contains("wm_secret") != true)
        }
    }
}
