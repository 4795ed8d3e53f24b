internal import NIOCore

/// What the connections of one event loop share. Belongs to that loop and is used on it alone.
final class EdgeLoop {
    /// How soon a counted answer is seen in the metrics.
    private static let countingDelay = TimeAmount.milliseconds(100)

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

    /// The table served now.
    var currentTable: ServingTable? { table.current() }

    /// Notes that a host's file was sent, or found to be what the client has.
    func countFetch(_ host: UnsafeBufferPointer<UInt8>, version: Int64, client: FetchClient) {
        fetches.note(host, version: version, client: client, now: date.second())
    }

    /// What has been counted since the last call.
    func takeFetches() -> FetchCounts {
        defer { fetches = FetchCounts() }
        return fetches
    }

    /// Notes an answer; the metrics learn of it with the others of the next tenth of a second.
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

    /// The head of an answer, and its body where the body goes out as a buffer of its own.
    func response(
        _ answer: WellKnownResponder.Answer, withBody: Bool, connection: ResponseConnection,
        allocator: ByteBufferAllocator
    ) -> (head: ByteBuffer, body: ByteBuffer?) {
        switch answer {
        case .found(let form, let version):
            // A short body is cheaper to copy than to hand to the system as a second piece.
            let isCopied = withBody && form.body.readableBytes <= 4096
            var head = start(form.found, version, connection, allocator, room: isCopied ? form.body.readableBytes : 0)
            if isCopied { head.writeImmutableBuffer(form.body) }
            return (head, withBody && !isCopied ? form.body : nil)
        case .notModified(let form, let version):
            return (start(form.notModified, version, connection, allocator, room: 0), nil)
        case .problem(let problem):
            var head = allocator.buffer(capacity: 512)
            head.writeString("HTTP/1.1 \(problem.status) \(problem.reason)\r\n\(problem.fields)Date: ")
            finish(&head, connection)
            if withBody { head.writeString(problem.body) }
            return (head, nil)
        }
    }

    private func start(
        _ prepared: ByteBuffer, _ version: Int64, _ connection: ResponseConnection, _ allocator: ByteBufferAllocator,
        room: Int
    ) -> ByteBuffer {
        // The version, the date, and what is said of the connection take less than 96 bytes.
        var head = allocator.buffer(capacity: prepared.readableBytes + 96 + room)
        head.writeImmutableBuffer(prepared)
        head.writeString(String(version))
        head.writeStaticString("\r\nDate: ")
        finish(&head, connection)
        return head
    }

    private func finish(_ head: inout ByteBuffer, _ connection: ResponseConnection) {
        head.writeBytes(date.now())
        switch connection {
        case .persistent: head.writeStaticString("\r\n\r\n")
        case .persistentByRequest: head.writeStaticString("\r\nConnection: keep-alive\r\n\r\n")
        case .closing: head.writeStaticString("\r\nConnection: close\r\n\r\n")
        }
    }
}

/// What an answer says of its connection (RFC 9112 section 9.3).
enum ResponseConnection {
    /// Nothing: HTTP/1.1 goes on by itself.
    case persistent
    /// It goes on because an HTTP/1.0 client asked.
    case persistentByRequest
    /// This is the last answer.
    case closing
}
