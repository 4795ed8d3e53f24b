import Fetching
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@Suite("Guarded client")
struct GuardedClientTests {
    private func client(_ change: (inout GuardedClient.Limits) -> Void = { _ in }) throws -> GuardedClient {
        var limits = GuardedClient.Limits()
        limits.total = .seconds(1)
        change(&limits)
        return try GuardedClient(limits: limits, allowsLoopback: true)
    }

    private func local(_ text: String) throws -> FetchURL { try #require(FetchURL(text, allowsLoopback: true)) }

    private func failure(of script: ScriptedServer.Script, upTo limit: Int = 100) async throws -> FetchError? {
        let server = try await ScriptedServer { _ in script }
        defer { Task { try await server.close() } }
        let client = try client()
        let url = try local(server.baseURL)
        return await #expect(throws: FetchError.self) { try await client.get(url, upTo: limit) }
    }

    @Test("it returns the body, and sends the host and the path")
    func body() async throws {
        let server = try await ScriptedServer { _ in .answer(200, body: Array("{}".utf8)) }
        let url = try local(server.baseURL + "/a?b=c")
        #expect(try await client().get(url, upTo: 2) == Array("{}".utf8))
        #expect(server.requests.first?.uri == "/a?b=c")
        #expect(server.requests.first?.headers["Host"] == ["127.0.0.1:\(url.port)"])
        #expect(server.requests.first?.headers.contains(name: "Accept-Encoding") == false)
        try await server.close()
    }

    @Test("it follows no redirect")
    func redirect() async throws {
        let script = ScriptedServer.Script.answer(302, fields: [("Location", "http://127.0.0.1:1/")])
        #expect(try await failure(of: script) == .redirect(status: 302))
    }

    @Test("it refuses a body that is too large, announced or not")
    func tooLarge() async throws {
        let body = [UInt8](repeating: 0x20, count: 101)
        #expect(try await failure(of: .answer(200, body: body)) == .tooLarge(limit: 100))
        let endless = try await RawServer { channel in
            channel.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<1_000 { channel.write("400\r\n" + String(repeating: "x", count: 1_024) + "\r\n") }
        }
        let (client, url) = (try client(), try local(endless.url))
        await #expect(throws: FetchError.tooLarge(limit: 5_000)) { try await client.get(url, upTo: 5_000) }
        try await endless.close()
    }

    @Test("it refuses a compressed body")
    func compressed() async throws {
        let script = ScriptedServer.Script.answer(200, fields: [("Content-Encoding", "gzip")], body: [1])
        #expect(try await failure(of: script) == .compressed)
    }

    @Test("it gives up on a slow server, an endless body, and a server that answers with nothing")
    func slow() async throws {
        #expect(try await failure(of: .stall, upTo: 10_000) == .timedOut("the answer did not end"))
        #expect(
            try await failure(of: .answer(200, afterMilliseconds: 5_000)) == .timedOut("the answer did not end"))
        #expect(try await failure(of: .hangUp) == .noConnection)
    }

    @Test("it reports other statuses, refused connections and answers that are not HTTP")
    func others() async throws {
        #expect(try await failure(of: .answer(500)) == .status(500))
        let client = try client()
        let closed = try local("http://127.0.0.1:1")
        await #expect(throws: FetchError.noConnection) { try await client.get(closed, upTo: 1) }
        let talker = try await RawServer { $0.write("220 mail.example.com ESMTP\r\n") }
        let url = try local(talker.url)
        await #expect(throws: FetchError.malformed) { try await client.get(url, upTo: 1) }
        try await talker.close()
    }

    @Test("without the operator's permission, it does not reach this machine, whatever the name")
    func special() async throws {
        let server = try await ScriptedServer { _ in .answer(200) }
        let strict = try GuardedClient()
        for host in ["localhost", "127.0.0.1"] {
            let url = try local("http://\(host):\(try local(server.baseURL).port)")
            let error = await #expect(throws: FetchError.self) { try await strict.get(url, upTo: 1) }
            guard case .specialAddress = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.requests.isEmpty)
        try await server.close()
    }

    @Test("a name that does not exist is reported")
    func unknownHost() async throws {
        let (client, url) = (try client { $0.step = .seconds(8) }, try #require(FetchURL("https://nothing.invalid")))
        await #expect(throws: FetchError.unknownHost) { try await client.get(url, upTo: 1) }
    }

    @Test("it looks up only a limited number of names at the same time")
    func busy() async throws {
        let (client, url) = (try client { $0.requests = 0 }, try local("http://127.0.0.1:1"))
        await #expect(throws: FetchError.busy) { try await client.get(url, upTo: 1) }
    }

    @Test("it accepts only a certificate of a trusted authority for the name, and sends the name")
    func certificates() async throws {
        let right = try TestCertificate(name: "localhost")
        let wrong = try TestCertificate(name: "other.example")
        let expected: [(TestCertificate, NIOSSLTrustRoots, FetchError?)] = [
            (right, .certificates(try right.chain), nil),
            (right, .default, .handshakeFailed),
            (wrong, .certificates(try wrong.chain), .handshakeFailed),
        ]
        for (certificate, roots, failure) in expected {
            let server = try await RawServer(certificate: certificate) {
                $0.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            }
            let client = try GuardedClient(allowsLoopback: true, trustRoots: roots)
            let url = try local(server.url.replacing("http://127.0.0.1", with: "https://localhost"))
            if let failure {
                await #expect(throws: failure) { try await client.get(url, upTo: 10) }
            } else {
                #expect(try await client.get(url, upTo: 10) == Array("ok".utf8))
                #expect(server.serverNames == ["localhost"])
            }
            try await server.close()
        }
    }

    @Test("a server without TLS has no valid certificate")
    func noTLS() async throws {
        let server = try await ScriptedServer { _ in .answer(200) }
        let client = try client()
        let url = try local(server.baseURL.replacing("http://127.0.0.1", with: "https://localhost"))
        await #expect(throws: FetchError.handshakeFailed) { try await client.get(url, upTo: 1) }
        try await server.close()
    }
}
