internal import NIOCore

/// The state shared by the connections of one event loop. Use it only on that loop.
final class EdgeLoop {
    /// The longest time until a counted response appears in the metrics.
    private static let countingDelay = TimeAmount.milliseconds(100)
    /// The maximum size in bytes of a response that is copied into one buffer.
    private static let longestCopied = 4096

    private var table: LiveTable.View
    private var date = HTTPDate()
    private var answers = AnswerCounts()
    private var isCountingPlanned = false
    private var fetches = FetchCounts()
    private let eventLoop: any EventLoop
    let responder: WellKnownResponder
    let limits: Edge.Limits
    let metrics: EdgeMetrics

    init(
        table: LiveTable, responder: WellKnownResponder, limits: Edge.Limits, metrics: EdgeMetrics,
        eventLoop: any EventLoop
    ) {
        self.table = LiveTable.View(table)
        self.responder = responder
        self.limits = limits
        self.metrics = metrics
        self.eventLoop = eventLoop
    }

    /// The current table.
    var currentTable: ServingTable? { table.current() }

    /// Counts a fetch, which is a response with the host's file or with 304.
    func countFetch(_ host: UnsafeBufferPointer<UInt8>, version: Int64, client: FetchClient) {
        fetches.note(host, version: version, client: client, now: date.second())
    }

    /// Returns the counts since the last call.
    func takeFetches() -> FetchCounts {
        defer { fetches = FetchCounts() }
        return fetches
    }

    /// Counts a response. It appears in the metrics within a tenth of a second.
    func count(_ answer: WellKnownResponder.Answer) {
        answers.note(answer.status)
        guard !isCountingPlanned else { return }
        isCountingPlanned = true
        eventLoop.assumeIsolated().scheduleTask(in: Self.countingDelay) { [self] in
            isCountingPlanned = false
            metrics.add(answers)
            answers = AnswerCounts()
        }
    }

    /// Creates the buffers of a response. A long body is in a second buffer, so that it is not copied.
    func response(
        _ answer: WellKnownResponder.Answer, withBody: Bool, connection: ResponseConnection,
        allocator: ByteBufferAllocator
    ) -> (first: ByteBuffer, second: ByteBuffer?) {
        switch answer {
        case .found(let form, let version):
            let size = form.found.readableBytes
            // Copying a short body is cheaper than passing a second buffer to the system.
            let isCopied = withBody && size <= Self.longestCopied
            let copied = isCopied ? size : form.headLength
            var first = start("HTTP/1.1 200 OK\r\nDate: ", version, connection, allocator, room: copied)
            form.found.withUnsafeReadableBytes { bytes in
                _ = first.writeBytes(UnsafeRawBufferPointer(rebasing: bytes.prefix(copied)))
            }
            return (first, withBody && !isCopied ? form.body : nil)
        case .notModified(let form, let version):
            var first = start(
                "HTTP/1.1 304 Not Modified\r\nDate: ", version, connection, allocator,
                room: form.notModified.readableBytes)
            first.writeImmutableBuffer(form.notModified)
            return (first, nil)
        case .problem(let problem):
            var first = allocator.buffer(capacity: 512)
            first.writeString("HTTP/1.1 \(problem.status) \(problem.reason)\r\nDate: ")
            write(connection, to: &first)
            let response = problem.response
            first.writeString(response.fields)
            first.writeStaticString("\r\n")
            if withBody { first.writeBytes(response.body) }
            return (first, nil)
        }
    }

    private func start(
        _ status: StaticString, _ version: Int64, _ connection: ResponseConnection, _ allocator: ByteBufferAllocator,
        room: Int
    ) -> ByteBuffer {
        // Status, date, version and connection take less than 160 bytes.
        var head = allocator.buffer(capacity: 160 + room)
        head.writeStaticString(status)
        write(connection, to: &head)
        head.writeStaticString("Waymark-Version: ")
        head.writeString(String(version))
        head.writeStaticString("\r\n")
        return head
    }

    private func write(_ connection: ResponseConnection, to head: inout ByteBuffer) {
        head.writeBytes(date.now())
        switch connection {
        case .persistent: head.writeStaticString("\r\n")
        case .persistentByRequest: head.writeStaticString("\r\nConnection: keep-alive\r\n")
        case .closing: head.writeStaticString("\r\nConnection: close\r\n")
        }
    }
}

/// The `Connection` header of a response (RFC 9112 section 9.3).
enum ResponseConnection {
    /// No header: HTTP/1.1 connections persist by default.
    case persistent
    /// The connection persists because an HTTP/1.0 client requested it.
    case persistentByRequest
    /// The server closes the connection after this response.
    case closing
}
