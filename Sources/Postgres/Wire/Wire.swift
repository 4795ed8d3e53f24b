import CLibPQ
import Glibc
import Logging
import Timing

/// A non-blocking connection. This is the only code that calls libpq. Every wait has a deadline and can be interrupted.
///
/// Only one thread uses it. If a server hangs, libpq's blocking calls hang too, even with timeouts for connect,
/// keep-alive and statements (tested). So the wire uses the non-blocking calls, and `poll` with a deadline.
///
/// If `isBroken` is true, the connection cannot be used again: it was lost, or abandoned with a running statement.
final class Wire {
    /// The time in which a cancelled statement must end. After it, the connection is closed.
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

    /// Closes the connection. The socket of a broken connection is shut down first, so that closing cannot block.
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

    /// Sends all commands and one Sync, and waits for all results, in one round trip. The commands are one implicit
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

    /// Sends several pipelines, each with its own Sync, and waits for all results, in one round trip. Each pipeline is
    /// one implicit transaction, so a refused command affects only its own pipeline.
    ///
    /// - Returns: The results of each pipeline, in order.
    /// - Throws: The same errors as `run(_:until:cancellation:)`.
    func run(
        each pipelines: [[Command]], until deadline: MonotonicInstant, cancellation: Cancellation?
    ) throws(PostgresError) -> [[ResultSet]] {
        guard !isBroken else { throw PostgresError(.connection, "the connection is closed") }
        if cancellation?.isCancelled == true { throw PostgresError(.cancelled, "before the statement was sent") }
        for commands in pipelines {
            do throws(PostgresError) {
                for command in commands { try send(command) }
            } catch {
                // Commands already in libpq's buffer would become part of the next pipeline.
                isBroken = true
                throw error
            }
            guard PQpipelineSync(connection) == 1 else { throw lost() }
        }
        let results = try receive(until: deadline, cancellation: cancellation, syncs: pipelines.count)
        guard zip(results, pipelines).allSatisfy({ $0.count == $1.count }) else { throw lost() }
        return results
    }

    /// Sends a text of several statements, without parameters, with PostgreSQL's simple protocol.
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

    /// - Parameter syncs: The number of Sync messages that were sent. It is 0 for the simple protocol.
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
        // The cancel request may arrive late and cancel the next user's statement. So this connection must be closed.
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
                // In a pipeline, an empty result ends the results of one command. Several in a row are a protocol
                // error.
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
