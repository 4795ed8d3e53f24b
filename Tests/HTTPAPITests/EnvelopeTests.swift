import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Postgres
import Storage
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import HTTPAPI

@Suite("Envelope", .timeLimit(.minutes(3)))
struct EnvelopeTests {
    private struct Secretful: Error, CustomStringConvertible {
        let description = "password=hunter2"
    }

    /// Collects log lines.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private struct LineCollector: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { lines.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }

    /// Collects the pieces of a body.
    private final class Kept: Sendable {
        private let pieces = Mutex<[[UInt8]]>([])
        var all: [[UInt8]] { pieces.withLock { $0 } }
        func append(_ piece: [UInt8]) { pieces.withLock { $0.append(piece) } }
    }

    private struct Pieces: ResponseBodyWriter {
        let kept: Kept
        mutating func write(_ buffer: ByteBuffer) async throws { kept.append(Array(buffer.readableBytesView)) }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test("a long body is sent in pieces, after its length")
    func pieces() async throws {
        let body = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let response = Answer(.ok, body: body).response
        #expect(response.headers[.contentLength] == "700000")
        let kept = Kept()
        try await response.body.write(Pieces(kept: kept))
        let pieces = kept.all
        #expect(pieces.map(\.count) == [262_144, 262_144, 175_712])
        #expect(pieces.flatMap { $0 } == body)
    }

    /// The answer to an error from a handler.
    private func answer(
        to error: any Error, fields: [HTTPField.Name: String] = [:], lines: Lines = Lines()
    ) async throws -> Reply {
        let logger = Logger(label: "test") { _ in LineCollector(lines: lines) }
        let envelope = Envelope(
            logger: logger, isSecure: false, access: CrossOriginAccess(origins: []), client: { peer, _ in (peer, []) }
        ) { _ in throw APIError.noSuchPath }
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        for (name, value) in fields { head.headerFields[name] = value }
        let context = APIContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: TestCluster.silent))
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        return try await Reply(envelope.handle(request, context: context) { _, _ in throw error })
    }

    @Test("an internal error is a 500 without its cause, which the log has with the same ID")
    func hidden() async throws {
        let lines = Lines()
        let reply = try await answer(to: Secretful(), lines: lines)
        #expect((reply.status, reply.code) == (500, "internal_error"))
        #expect(!reply.text.contains("hunter2") && !reply.text.contains("Secretful"))
        let id = try #require(reply["Request-Id"])
        #expect(reply.json["requestId"]?.string == id)
        #expect(lines.text.contains("hunter2"))
        #expect(lines.text.contains(id))
    }

    @Test("an unreachable database is a 503 with Retry-After; its other errors are a 500 without their text")
    func database() async throws {
        for kind in [PostgresError.Kind.connection, .deadline, .poolExhausted, .commitOutcomeUnknown] {
            let reply = try await answer(to: PostgresError(kind, "host=secret"))
            #expect((reply.status, reply.code) == (503, "unavailable"))
            #expect(reply["Retry-After"] == "1")
            #expect(!reply.text.contains("secret"))
        }
        let server = ServerError(sqlState: "23505", message: "secret", constraint: "unknown_key", detail: "secret")
        let reply = try await answer(to: PostgresError(.server(server), "secret"))
        #expect(reply.status == 500)
        #expect(!reply.text.contains("secret") && !reply.text.contains("unknown_key"))
    }

    @Test("a problem has type, title, status, code and detail, and caches may not store it")
    func problems() async throws {
        let reply = try await answer(to: StorageError.notFound(kind: "team", key: "ABCDE12345"))
        #expect(reply.status == 404)
        #expect(reply["Content-Type"] == "application/problem+json")
        #expect(reply["Cache-Control"] == "no-store")
        #expect(reply["X-Content-Type-Options"] == "nosniff")
        #expect(reply.json["type"]?.string == "urn:waymark:problem:not_found")
        #expect(reply.json["title"]?.string == "Not Found")
        #expect(reply.json["status"]?.int == 404)
        #expect(reply.json["detail"]?.string == "There is no team ABCDE12345.")
    }

    @Test("a revision conflict has the current revision in the body and as the ETag")
    func revision() async throws {
        let reply = try await answer(to: StorageError.revisionMoved(current: 8))
        #expect((reply.status, reply.code) == (412, "revision_moved"))
        #expect(reply.json["revision"]?.int == 8)
        #expect(reply["ETag"] == "\"8\"")
    }

    @Test(
        "a caller's request ID is used if it has only allowed characters",
        arguments: [
            ("abc-DEF_123", true), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false),
            ("", false), ("a b", false), ("<script>", false), ("ä", false), ("a\"b", false),
        ])
    func requestID(given: String, isKept: Bool) async throws {
        let name = try #require(HTTPField.Name("Request-Id"))
        let reply = try await answer(to: APIError.noSuchPath, fields: [name: given])
        let id = try #require(reply["Request-Id"])
        #expect((id == given) == isKept)
        #expect(!id.isEmpty)
        #expect(reply.json["requestId"]?.string == id)
    }

    @Test("without the database, only requests that need it are a 503")
    func withoutDatabase() async throws {
        let api = try APIUnderTest(store: unreachableStore())
        let token = Secret(prefix: Secret.tokenPrefix)
        for (method, path) in [(.get, "/readyz"), (.get, "/v1/teams"), (.get, "/v1/me")]
            as [(HTTPRequest.Method, String)]
        {
            let reply = try await api.ask(method, path, token: token)
            #expect((reply.status, reply.code) == (503, "unavailable"), "\(path)")
            #expect(reply["Retry-After"] == "1")
        }
        #expect(try await api.ask(.get, "/livez").status == 200)
        #expect(try await api.ask(.get, "/v1/nothing").status == 404)
        #expect(try await api.ask(.put, "/v1/teams").status == 405)
        #expect(try await api.ask(.get, "/v1/teams", fields: ["Authorization": "Bearer wm_x"]).status == 401)
        #expect(try await api.ask(.post, "/v1/lint", body: "{}").status == 200)
    }

    @Test("a known path lists its methods, and HEAD answers like GET without a body")
    func methods() async throws {
        let api = try APIUnderTest(store: unreachableStore())
        let reply = try await api.ask(.delete, "/v1/teams")
        #expect((reply.status, reply.code) == (405, "method_not_allowed"))
        #expect(reply["Allow"] == "GET, HEAD, POST")
        let head = try await api.ask(.head, "/livez")
        #expect((head.status, head.body) == (200, []))
        #expect(try await api.ask(.post, "/").status == 405)
    }

    @Test("a body over the route's limit is a 413, a body at the limit is read")
    func bodies() async throws {
        let api = try APIUnderTest(store: unreachableStore())
        let code = #"{"code":""#
        for (size, status) in [(8_192, 422), (8_193, 413)] {
            let body = code + String(repeating: "a", count: size - code.utf8.count - 2) + "\"}"
            #expect(body.utf8.count == size)
            let reply = try await api.ask(.post, "/v1/session", body: body)
            #expect(reply.status == status, "\(size): \(reply.text)")
        }
    }

    @Test(
        "a request without one well-formed Host is a 400",
        arguments: [nil, "", "a b", "a/b", "a@b", "ä.example", "a,b"] as [String?])
    func framing(authority: String?) async throws {
        let api = try APIUnderTest(store: unreachableStore())
        let reply = try await api.ask(.get, "/livez", authority: authority)
        #expect((reply.status, reply.code) == (400, "bad_host"))
        #expect(try await api.ask(.get, "/livez", authority: "[::1]:8080").status == 200)
    }

    @Test("a URL of 8,192 bytes is accepted, a longer one is a 414")
    func longURLs() async throws {
        let api = try APIUnderTest(store: unreachableStore())
        let prefix = "/?"
        for (size, status) in [(8_192, 200), (8_193, 414)] {
            let path = prefix + String(repeating: "a", count: size - prefix.utf8.count)
            #expect(try await api.ask(.get, path).status == status)
        }
    }
}
