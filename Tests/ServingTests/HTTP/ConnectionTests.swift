import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import Serving

@Suite("Connections", .timeLimit(.minutes(3)))
struct ConnectionTests {
    static let request = "GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: www.example\r\n\r\n"

    /// Limits short enough for tests.
    static var short: Edge.Limits {
        var limits = Edge.Limits()
        limits.headTimeout = .milliseconds(300)
        limits.bodyTimeout = .milliseconds(300)
        limits.idleTimeout = .milliseconds(300)
        limits.takingTime = .milliseconds(300)
        limits.lingeringTime = .milliseconds(300)
        return limits
    }

    /// A file too large for the system's buffers if the client does not read.
    static let large = Array(#"{"a":""#.utf8) + [UInt8](repeating: 0x61, count: 130_000) + Array(#""}"#.utf8)

    @Test("a connection with a slow head, no head, a slow second head or a slow body is closed")
    func slowRequests() async throws {
        try await withEdge(liveTable(["www.example": file(1)]), limits: Self.short) { (edge) async throws in
            let host = "GET / HTTP/1.1\r\nHost: x\r\n"
            let cases: [(String, [Int])] = [
                ("", []), ("GET / HT", []), (host + "A: b", []), (Self.request + host, [200]), (Self.request, [200]),
                (host + "Content-Length: 10\r\n\r\n12", [408]),
                (host + "Transfer-Encoding: chunked\r\n\r\n1\r\na", [408]),
            ]
            for (text, statuses) in cases {
                let answers = try await exchange(edge.port, text)
                #expect(answers.map(\.status) == statuses, "\(text)")
            }
            #expect(try await edge.get().status == 200)
        }
    }

    @Test("a connection whose head arrives byte by byte is closed too")
    func dripping() async throws {
        try await withEdge(liveTable(["www.example": file(1)]), limits: Self.short) { (edge) async throws in
            let sent = try await blocking {
                let socket = try RawSocket(port: edge.port)
                try socket.send("GET / HTTP/1.1\r\n")
                var sent = 0
                while sent < 500, (try? socket.send("A")) != nil {
                    sent += 1
                    usleepMilliseconds(10)
                }
                return sent
            }
            #expect(sent < 500)
        }
    }

    @Test("a client that does not read is disconnected, and the edge buffers at most the limit for it")
    func slowReader() async throws {
        try await withEdge(liveTable(["www.example": Self.large]), limits: Self.short) { (edge) async throws in
            let count = try await blocking {
                let socket = try RawSocket(port: edge.port, receiveBuffer: 4096)
                for _ in 0..<200 { try socket.send(Self.request) }
                usleepMilliseconds(1500)
                return try socket.receiveAll().count
            }
            #expect(count < 200 * Self.large.count)
            #expect(try await edge.get().body == Self.large)
        }
    }

    @Test("a client that reads slowly but steadily gets the whole file")
    func steadyReader() async throws {
        try await withEdge(liveTable(["www.example": Self.large])) { (edge) async throws in
            let bytes = try await blocking {
                let socket = try RawSocket(port: edge.port, receiveBuffer: 4096)
                for _ in 0..<20 { try socket.send(Self.request) }
                socket.finishSending()
                var all: [UInt8] = []
                while case let part = try socket.receive(limit: 16_384), !part.isEmpty { all += part }
                return all
            }
            #expect(RawAnswer.parse(bytes).map(\.body) == [[UInt8]](repeating: Self.large, count: 20))
        }
    }

    @Test("connections above the limit get a 503, and when one ends, a new one is accepted")
    func tooMany() async throws {
        try await withEdge(liveTable(["www.example": file(1)]), maximumConnections: 2) { (edge) async throws in
            let statuses = try await blocking {
                let first = try RawSocket(port: edge.port)
                let second = try RawSocket(port: edge.port)
                for socket in [first, second] {
                    try socket.send(Self.request)
                    _ = try socket.receive(answers: 1)
                }
                let third = try RawSocket(port: edge.port)
                try? third.send(Self.request)
                let refused = RawAnswer.parse(try third.receiveAll()).map(\.status)
                try first.send(Self.request)
                return refused + (try first.receive(answers: 1).map(\.status))
            }
            #expect(statuses == [503, 200])
            for _ in 0..<1500 {
                if try await edge.get().status == 200 { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("no new connection is accepted although the others have ended")
        }
    }

    @Test("the next request on an open connection uses a new table")
    func swap() async throws {
        let live = try liveTable(["www.example": file(1)])
        try await withEdge(live) { (edge) async throws in
            let bodies = try await blocking {
                let socket = try RawSocket(port: edge.port)
                try socket.send(Self.request)
                let first = try socket.receive(answers: 1)
                try live.replace(with: table(["www.example": file(2)]))
                try socket.send(Self.request)
                return [first[0].body, try socket.receive(answers: 1)[0].body]
            }
            #expect(bodies == [file(1), file(2)])
        }
    }

    @Test("while it stops, a half-sent request is answered as the last one, and idle connections end")
    func shutdown() async throws {
        var limits = Edge.Limits()
        limits.shutdownTime = .seconds(60)
        limits.idleTimeout = .seconds(60)
        limits.bodyTimeout = .seconds(60)
        try await withEdge(liveTable(["www.example": file(1)]), limits: limits) { (edge) async throws in
            let idle = try RawSocket(port: edge.port)
            let busy = try RawSocket(port: edge.port)
            try await blocking {
                for socket in [idle, busy] {
                    try socket.send(Self.request)
                    _ = try socket.receive(answers: 1)
                }
                try busy.send("POST / HTTP/1.1\r\nHost: www.example\r\nContent-Length: 2\r\n\r\n1")
                usleepMilliseconds(1000)
            }
            await edge.group.triggerGracefulShutdown()
            let began = ContinuousClock.now
            let answers = try await blocking {
                #expect(try idle.receiveAll().isEmpty)
                try busy.send("2")
                return RawAnswer.parse(try busy.receiveAll())
            }
            #expect(answers.map(\.status) == [404])
            #expect(answers.first?.field("connection") == "close")
            #expect(ContinuousClock.now - began < .seconds(30))
        }
    }

    @Test("a connection that never finishes does not delay the stop")
    func stubborn() async throws {
        var limits = Edge.Limits()
        limits.shutdownTime = .milliseconds(300)
        limits.bodyTimeout = .seconds(60)
        let began = ContinuousClock.now
        let socket = try await withEdge(liveTable(["www.example": file(1)]), limits: limits) { (edge) async throws in
            let socket = try RawSocket(port: edge.port)
            try socket.send("POST / HTTP/1.1\r\nHost: www.example\r\nContent-Length: 2\r\n\r\n1")
            return socket
        }
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(try await blocking { try socket.receiveAll() }.isEmpty)
    }

    @Test("a new edge listens on the port before the old one has exited, and no request fails")
    func handover() async throws {
        let old = try liveTable(["www.example": file(1)])
        let new = try liveTable(["www.example": file(2)])
        let isClosed = Flag()
        try await withEdge(old, release: { isClosed.set() }) { (first) async throws in
            try await withEdge(new, port: first.port) { (second) async throws in
                await first.group.triggerGracefulShutdown()
                #expect(try await eventually { isClosed.isSet })
                for _ in 0..<20 { #expect(try await second.get().body == file(2)) }
            }
        }
    }

    @Test("connections to a new edge wait until it has taken over: its earlier table is never served")
    func takeover() async throws {
        let (end, release) = AsyncStream<Void>.makeStream()
        let new = try liveTable(["www.example": file(3)])
        let sockets = NIOLockedValueBox<[RawSocket]>([])
        try await withEdge(liveTable(["www.example": file(1)]), release: { release.finish() }) { (first) async throws in
            // The kernel distributes new connections between the two edges meanwhile.
            let takeOver = { @Sendable () async -> Void in
                for _ in 0..<32 {
                    guard let socket = try? RawSocket(port: first.port) else { continue }
                    try? socket.send(Self.request)
                    sockets.withLockedValue { $0.append(socket) }
                }
                await first.group.triggerGracefulShutdown()
                for await _ in end {}
                if let table = try? table(["www.example": file(2)]) { new.replace(with: table) }
            }
            try await withEdge(new, port: first.port, takeOver: takeOver) { (second) async throws in
                #expect(try await second.get().body == file(2))
                let opened = sockets.withLockedValue { $0 }
                try await blocking { for socket in opened { socket.finishSending() } }
                let bodies = try await blocking {
                    try opened.flatMap { RawAnswer.parse(try $0.receiveAll()).map(\.body) }
                }
                #expect(bodies.contains(file(2)))
                #expect(!bodies.contains(file(3)))
                #expect(opened.count == 32)
            }
        }
    }

    @Test("`release` is called when no more connections can arrive")
    func lettingGo() async throws {
        let port = NIOLockedValueBox(0)
        let isClosed = NIOLockedValueBox<Bool?>(nil)
        let release = { @Sendable in
            let refused = (try? RawSocket(port: port.withLockedValue { $0 })) == nil
            isClosed.withLockedValue { $0 = refused }
        }
        try await withEdge(liveTable(["www.example": file(1)]), release: release) { (edge) async throws in
            port.withLockedValue { $0 = edge.port }
            #expect(try await edge.get().status == 200)
            #expect(isClosed.withLockedValue { $0 } == nil)
        }
        #expect(isClosed.withLockedValue { $0 } == true)
    }
}
