import Testing

@testable import Serving

@Suite("Requests as bytes", .timeLimit(.minutes(3)))
struct RequestFramingTests {
    static let start = "GET /.well-known/apple-app-site-association HTTP/1.1\r\n"
    static let close = "Connection: close\r\n\r\n"

    func withTable<Result: Sendable>(_ body: @escaping @Sendable (EdgeUnderTest) async throws -> Result) async throws {
        _ = try await withEdge(liveTable(["www.example": file(1), "shop.example": file(2)]), body)
    }

    /// Each must get one 400 and the end of the connection.
    static let malformed: [(String, String)] = [
        ("no host", start + close),
        ("two hosts", start + "Host: www.example\r\nHost: shop.example\r\n" + close),
        ("the same host twice", start + "Host: www.example\r\nHost: www.example\r\n" + close),
        ("host after a good one, in other case", start + "Host: www.example\r\nHOST: x\r\n" + close),
        ("HTTP/1.0 without host", "GET /apple-app-site-association HTTP/1.0\r\n\r\n"),
        ("absolute form without host", "GET http://www.example/apple-app-site-association HTTP/1.1\r\n" + close),
        ("user in the target", "GET http://a@www.example/ HTTP/1.1\r\nHost: www.example\r\n" + close),
        (
            "another scheme",
            "GET ftp://www.example/apple-app-site-association HTTP/1.1\r\nHost: www.example\r\n" + close
        ),
        ("space before the colon", start + "Host : www.example\r\n" + close),
        ("no colon", start + "Host: www.example\r\nrubbish\r\n" + close),
        ("name with a space", start + "Host: www.example\r\nA B: c\r\n" + close),
        ("empty name", start + "Host: www.example\r\n: c\r\n" + close),
        ("NUL in a value", start + "Host: www.example\r\nA: b\0c\r\n" + close),
        ("bare CR in a value", start + "Host: www.example\r\nA: b\rc\r\n" + close),
        ("field folded before a host", start + " Host: www.example\r\n" + close),
        ("two lengths", "POST / HTTP/1.1\r\nHost: www.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        (
            "length and chunks",
            start + "Host: www.example\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("negative length", start + "Host: www.example\r\nContent-Length: -1\r\n\r\n"),
        ("length with a sign", start + "Host: www.example\r\nContent-Length: +1\r\n\r\na"),
        ("enormous length", start + "Host: www.example\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        ("length that is a word", start + "Host: www.example\r\nContent-Length: one\r\n\r\na"),
        ("bad chunk size", start + "Host: www.example\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        (
            "chunk without its end",
            start + "Host: www.example\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"
        ),
        ("chunks of HTTP/1.0", "GET / HTTP/1.0\r\nHost: www.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("two slashes", "GET //apple-app-site-association HTTP/1.1\r\nHost: www.example\r\n\r\n"),
        (
            "two slashes behind an authority",
            "GET http://www.example//apple-app-site-association HTTP/1.1\r\nHost: www.example\r\n\r\n"
        ),
        ("unknown method", "FETCH / HTTP/1.1\r\nHost: www.example\r\n" + close),
        ("not HTTP", "\u{16}\u{3}\u{1}\u{0}\u{5}hello world, this is no HTTP\r\n\r\n"),
        ("space in the target", "GET /a b HTTP/1.1\r\nHost: www.example\r\n" + close),
    ]

    @Test("a malformed request is a 400 and ends the connection", arguments: malformed)
    func refused(name: String, text: String) async throws {
        try await withTable { (edge) async throws in
            // A valid request after it must not be answered: after a malformed one, the framing cannot be trusted.
            let answers = try await exchange(edge.port, text + Self.start + "Host: www.example\r\n\r\n")
            #expect(answers.first?.status == 400, "\(name)")
            #expect(answers.count == 1 || name == "absolute form without host" || text.contains("close"), "\(name)")
            #expect(answers.allSatisfy { $0.status != 200 }, "\(name)")
        }
    }

    @Test(
        "a transfer coding other than chunked is a 501 and ends the connection",
        arguments: ["gzip, chunked", "gzip\r\nTransfer-Encoding: chunked", "gzip,Chunked"])
    func codings(coding: String) async throws {
        try await withTable { (edge) async throws in
            let text = Self.start + "Host: www.example\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n"
            let answers = try await exchange(edge.port, text + Self.start + "Host: www.example\r\n\r\n")
            #expect(answers.map(\.status) == [501])
            #expect(answers.first?.field("connection") == "close")
        }
    }

    @Test("a version other than HTTP/1 is a 505 or a 400", arguments: ["HTTP/2.0", "HTTP/3.0", "HTTP/0.9", ""])
    func versions(version: String) async throws {
        try await withTable { (edge) async throws in
            let answers = try await exchange(edge.port, "GET / \(version)\r\nHost: www.example\r\n\r\n")
            #expect([400, 505].contains(answers.first?.status))
        }
    }

    @Test("the authority of an absolute target replaces the Host field")
    func absoluteForm() async throws {
        try await withTable { (edge) async throws in
            for target in ["http://shop.example", "HTTPS://SHOP.example:443"] {
                let text = "GET \(target)/apple-app-site-association?x HTTP/1.1\r\nHost: www.example\r\n" + Self.close
                #expect(try await edge.only(exchange(edge.port, text)).body == file(2))
            }
            let text = "GET http://a%20b c/ HTTP/1.1\r\nHost: www.example\r\n" + Self.close
            #expect(try await exchange(edge.port, text).first?.status == 400)
            let root = "GET http://shop.example HTTP/1.1\r\nHost: www.example\r\n" + Self.close
            #expect(try await edge.only(exchange(edge.port, root)).status == 404)
        }
    }

    @Test("pipelined requests are answered in order, valid and invalid ones")
    func pipelining() async throws {
        try await withTable { (edge) async throws in
            var text = ""
            for index in 0..<500 {
                let host = index.isMultiple(of: 3) ? "shop.example" : index.isMultiple(of: 5) ? "x" : "www.example"
                text += Self.start + "Host: \(host)\r\n\r\n"
            }
            text += Self.start + "Host: www.example\r\n" + Self.close
            let answers = try await exchange(edge.port, text)
            #expect(answers.count == 501)
            for (index, answer) in answers.enumerated() {
                if index == 500 {
                    #expect(answer.body == file(1) && answer.field("connection") == "close")
                } else if index.isMultiple(of: 3) {
                    #expect(answer.body == file(2))
                } else {
                    #expect(answer.status == (index.isMultiple(of: 5) ? 404 : 200))
                }
            }
        }
    }

    @Test("a request that arrives byte by byte is answered")
    func slowly() async throws {
        try await withTable { (edge) async throws in
            let answers = try await blocking {
                let socket = try RawSocket(port: edge.port)
                for byte in (Self.start + "Host: www.example\r\n\r\n").utf8 { try socket.send([byte]) }
                return try socket.receive(answers: 1)
            }
            #expect(answers[0].body == file(1))
        }
    }

    @Test("an HTTP/1.0 connection ends after the answer unless the client asks to keep it")
    func oldVersion() async throws {
        try await withTable { (edge) async throws in
            let old = "GET /apple-app-site-association HTTP/1.0\r\nHost: www.example\r\n"
            #expect(try await edge.only(exchange(edge.port, old + "\r\n")).field("connection") == "close")
            let answers = try await exchange(edge.port, old + "Connection: keep-alive\r\n\r\n" + old + "\r\n")
            #expect(answers.map { $0.field("connection") } == ["keep-alive", "close"])
        }
    }

    @Test("the body of a GET is discarded up to the limit, a longer one ends the connection")
    func bodies() async throws {
        var limits = Edge.Limits()
        limits.largestBody = 1000
        try await withEdge(liveTable(["www.example": file(1)]), limits: limits) { (edge) async throws in
            let host = "Host: www.example\r\n"
            let fits = Self.start + host + "Content-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000)
            let chunks = Self.start + host + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            let last = Self.start + host + Self.close
            #expect(try await exchange(edge.port, fits + chunks + last).map(\.status) == [200, 200, 200])
            let tooLong = Self.start + host + "Content-Length: 1001\r\n\r\n" + String(repeating: "x", count: 1001)
            let answers = try await exchange(edge.port, tooLong + last)
            #expect(answers.map(\.status) == [413])
            #expect(answers.first?.field("connection") == "close")
        }
    }

    @Test("a long URL is a 414, a large head is a 431, and the edge continues")
    func limits() async throws {
        try await withTable { (edge) async throws in
            func get(_ target: String, _ fields: [String]) async throws -> Int? {
                let lines = ["GET \(target) HTTP/1.1", "Host: www.example"] + fields
                return try await exchange(edge.port, lines.joined(separator: "\r\n") + "\r\n" + Self.close).first?
                    .status
            }
            let path = "/apple-app-site-association?"
            let rest = 8192 - path.utf8.count
            #expect(try await get(path + String(repeating: "a", count: rest), []) == 200)
            #expect(try await get(path + String(repeating: "a", count: rest + 1), []) == 414)
            #expect(try await get("/" + String(repeating: "a", count: 100_000), []) == 431)
            let kilobyte = String(repeating: "b", count: 1000)
            #expect(try await get(path, (0..<16).map { "X-\($0): \(kilobyte)" }) == 200)
            #expect(try await get(path, (0..<17).map { "X-\($0): \(kilobyte)" }) == 431)
            #expect(try await get(path, ["X: " + String(repeating: "b", count: 20_000)]) == 431)
            #expect(try await get(path, (0..<200).map { "X-\($0): b" }) == 431)
            #expect(try await edge.get().status == 200)
        }
    }

    @Test("a client that expects a 100 gets the answer immediately")
    func expectation() async throws {
        try await withTable { (edge) async throws in
            let text = Self.start + "Host: www.example\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n"
            let answer = try await edge.only(exchange(edge.port, text))
            #expect(answer.status == 200 && answer.field("connection") == "close")
        }
    }

    @Test("a request for another protocol is answered as plain HTTP/1.1 and ends the connection")
    func upgrade() async throws {
        try await withTable { (edge) async throws in
            let upgrade =
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
            let answer = try await edge.only(exchange(edge.port, Self.start + "Host: www.example\r\n" + upgrade))
            #expect(answer.status == 200 && answer.field("connection") == "close")
            let connect = try await exchange(edge.port, "CONNECT a:1 HTTP/1.1\r\nHost: www.example\r\n\r\n")
            #expect(connect.map(\.status) == [404])
        }
    }

    @Test("a client that has finished sending still gets its answer")
    func halfClosed() async throws {
        try await withTable { (edge) async throws in
            let bytes = try await blocking {
                let socket = try RawSocket(port: edge.port)
                try socket.send(Self.start + "Host: www.example\r\n\r\n")
                socket.finishSending()
                return try socket.receiveAll()
            }
            #expect(RawAnswer.parse(bytes).map(\.status) == [200])
        }
    }
}
