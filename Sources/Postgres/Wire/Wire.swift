import CLibPQ
import Glibc
import Logging
import Timing

/// A non-blocking connection. This is the only code that calls libpq. Every wait has a deadline and can be interrupted.
///
/// Belongs to one thread. libpq's blocking calls hang on a frozen server, even with connect, keep-alive and statement
/// timeouts (tested). So they are not used: the wire sends, and then calls `poll` until the deadline.
///
/// If `isBroken` is true, the connection cannot be used again: it was lost, or abandoned with a running statement.
final class Wire {
    /// The time that a cancelled statement has to end before its connection is closed.
    private static let cancelPatience: Duration = .seconds(1)

    let connection: OpaquePointer
    let wakeUp: WakeUp
    private var parameters = ParameterArray()
    private let notices: Unmanaged<NoticeLog>
    var isBroken = false
    private var isClosed = false

    /// Takes ownership of an open connection.
    init(connection: OpaquePointer, wakeUp: WakeUp, notices: Unmanaged<NoticeLog>) {
        self.connection = connection
        self.wakeUp = wakeUp
        self.notices = notices
    }

    deinit {
        close()
        notices.release()
    }

    /// Closes the connection. If it is broken, the socket is shut down first, so that closing cannot block.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if isBroken { shutdown(PQsocket(connection), Int32(SHUT_RDWR)) }
        isBroken = true
        PQfinish(connection)
    }

    var transactionStatus: PGTransactionStatusType {
        isClosed ? PQTRANS_UNKNOWN : PQtransactionStatus(connection)
    }

    /// Sends all commands and one Sync, and waits for all answers. This takes one round trip. It is one implicit
    /// transaction, unless a command opens an explicit one.
    ///
    /// - Returns: One result for each command, in order. The result of a refused command is an error, and all later
    ///   results are `PGRES_PIPELINE_ABORTED`.
    /// - Throws: `.connection`, `.deadline`, `.cancelled`, `.encoding`, `.misuse`. The wire is broken afterwards,
    ///   except after a cancellation before the first command.
    func run(
        _ commands: [Command], until deadline: MonotonicInstant, cancellation: Cancellation?
    ) throws(PostgresError) -> [ResultSet] {
        try run(each: [commands], until: deadline, cancellation: cancellation)[0]
    }

    /// Sends several pipelines, each with its own Sync, and waits for all answers. This takes one round trip. Each
    /// pipeline is one implicit transaction, so a refused command affects only its own pipeline.
    ///
    /// - Returns: The results of each pipeline, in order.
    /// - Throws: The same errors as above.
    func run(
        each pipelines: [[Command]], until deadline: MonotonicInstant, cancellation: Cancellation?
    ) throws(PostgresError) -> [[ResultSet]] {
        guard !isBroken else { throw PostgresError(.connection, "the connection is closed") }
        if cancellation?.isCancelled == true { throw PostgresError(.cancelled, "before the statement was sent") }
        for commands in pipelines {
            do throws(PostgresError) {
                for command in commands { try send(command) }
            } catch {
                // The commands already in the buffer would become part of the next pipeline.
                isBroken = true
                throw error
            }
            guard PQpipelineSync(connection) == 1 else { throw lost() }
        }
        let results = try receive(until: deadline, cancellation: cancellation, syncs: pipelines.count)
        guard zip(results, pipelines).allSatisfy({ $0.count == $1.count }) else { throw lost() }
        return results
    }

    /// Sends several statements in one text, without parameters, with PostgreSQL's simple protocol.
    ///
    /// - Returns: The results up to the first error.
    func runScript(_ text: String, until deadline: MonotonicInstant) throws(PostgresError) -> [ResultSet] {
        guard !isBroken, PQexitPipelineMode(connection) == 1, PQsendQuery(connection, text) == 1 else { throw lost() }
        let results = try receive(until: deadline, cancellation: nil, syncs: 0)
        guard PQenterPipelineMode(connection) == 1 else { throw lost() }
        return results[0]
    }

    private func send(_ command: Command) throws(PostgresError) {
        let isSent: Bool
        switch command {
        case .prepare(let name, let text, let types):
            let types = types.map(\.rawValue)
            isSent = PQsendPrepare(connection, name, text, Int32(types.count), types) == 1
        case .executePrepared(let name, let values):
            isSent = try parameters.withPointers(values) { pointers in
                PQsendQueryPrepared(
                    connection, name, pointers.count, pointers.values, pointers.lengths, pointers.formats, 0) == 1
            }
        case .execute(let text, let values):
            isSent = try parameters.withPointers(values) { pointers in
                PQsendQueryParams(
                    connection, text, pointers.count, pointers.types, pointers.values, pointers.lengths,
                    pointers.formats, 0) == 1
            }
        }
        guard isSent else { throw lost() }
    }

    /// - Parameter syncs: The number of Syncs that were sent. The simple protocol has none, so it is 0.
    private func receive(
        until deadline: MonotonicInstant, cancellation: Cancellation?, syncs: Int
    ) throws(PostgresError) -> [[ResultSet]] {
        var results: [[ResultSet]] = [[]]
        var deadline = deadline
        var isCancelled = false
        while true {
            let flushed = PQflush(connection)
            guard flushed >= 0 else { throw lost() }
            if try takeResults(into: &results, syncs: syncs) { break }
            if !isCancelled, cancellation?.isCancelled == true {
                isCancelled = true
                isBroken = true
                requestCancel()
                deadline = min(deadline, .now + Self.cancelPatience)
            }
            switch try wait(toWrite: flushed == 1, until: deadline) {
            case .ready: guard PQconsumeInput(connection) == 1 else { throw isCancelled ? cancelled : lost() }
            case .woken: break
            case .late where isCancelled: throw cancelled
            case .late:
                isBroken = true
                requestCancel()
                throw PostgresError(.deadline, "the statement did not end in time")
            }
        }
        // A delayed cancel request could affect the next user's statement, so the wire is treated as broken.
        if isCancelled { throw cancelled }
        return results
    }

    private var cancelled: PostgresError { PostgresError(.cancelled, "while a statement was running") }

    private func requestCancel() {
        if let handle = PQgetCancel(connection) { CancelRequest.send(handle) }
    }

    /// Reads the results that have arrived.
    ///
    /// - Returns: True if the last result has arrived.
    private func takeResults(into results: inout [[ResultSet]], syncs: Int) throws(PostgresError) -> Bool {
        var emptyAnswers = 0
        while PQisBusy(connection) == 0 {
            guard let answer = PQgetResult(connection) else {
                if syncs == 0 { return true }
                // In a pipeline, this ends the results of one command. Several in a row are a protocol error.
                emptyAnswers += 1
                guard emptyAnswers < 3, PQstatus(connection) == CONNECTION_OK else { throw lost() }
                continue
            }
            emptyAnswers = 0
            let status = PQresultStatus(answer)
            if status == PGRES_PIPELINE_SYNC {
                PQclear(answer)
                if results.count == syncs { return true }
                results.append([])
                continue
            }
            let result = ResultSet(owning: answer)
            guard PQstatus(connection) == CONNECTION_OK else { throw lost() }
            if status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH {
                isBroken = true
                throw PostgresError(.misuse, "COPY is not supported")
            }
            results[results.count - 1].append(result)
        }
        return false
    }

    /// The error of a broken connection, with libpq's message.
    func lost() -> PostgresError {
        isBroken = true
        return PostgresError(.connection, Self.message(of: connection))
    }

    static func message(of connection: OpaquePointer?) -> String {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).prefix(2).map { $0.drop(while: \.isWhitespace) }
        return lines.isEmpty ? "the connection was lost" : lines.joined(separator: "; ")
    }
}
