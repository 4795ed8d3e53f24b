import CLibPQ
import Glibc
import Logging
import Timing

extension Wire {
    /// Opens a connection.
    ///
    /// - Parameter cancellation: Ends the attempt if it is set and the wake-up is raised.
    /// - Throws: `.connection` with libpq's message, `.deadline`, `.cancelled`.
    static func connect(
        _ configuration: PostgresConfiguration, wakeUp: WakeUp, logger: Logger, cancellation: Cancellation
    ) throws(PostgresError) -> Wire {
        let deadline = MonotonicInstant.now + configuration.connectTimeout
        guard let connection = start(configuration.connectionKeywords) else {
            throw PostgresError(.connection, "out of memory")
        }
        let notices = Unmanaged.passRetained(NoticeLog(logger: logger))
        PQsetNoticeProcessor(connection, NoticeLog.processor, notices.toOpaque())
        // From here on, the wire owns the connection and the notice log, and frees them in `deinit`.
        let wire = Wire(connection: connection, wakeUp: wakeUp, notices: notices)
        do throws(PostgresError) {
            try wire.establish(until: deadline, cancellation: cancellation)
        } catch {
            wire.isBroken = true
            throw error
        }
        return wire
    }

    private static func start(_ keywords: [String: String]) -> OpaquePointer? {
        let pairs = Array(keywords)
        var names: [UnsafePointer<CChar>?] = pairs.map { strdup($0.key).map { UnsafePointer($0) } } + [nil]
        var values: [UnsafePointer<CChar>?] = pairs.map { strdup($0.value).map { UnsafePointer($0) } } + [nil]
        defer { for pointer in names + values { free(UnsafeMutablePointer(mutating: pointer)) } }
        return PQconnectStartParams(&names, &values, 0)
    }

    private func establish(until deadline: MonotonicInstant, cancellation: Cancellation) throws(PostgresError) {
        guard PQstatus(connection) != CONNECTION_BAD else { throw lost() }
        var interest = PGRES_POLLING_WRITING
        while interest != PGRES_POLLING_OK {
            if cancellation.isCancelled { throw PostgresError(.cancelled, "while connecting") }
            switch try wait(toWrite: interest == PGRES_POLLING_WRITING, until: deadline) {
            case .ready: interest = PQconnectPoll(connection)
            case .woken: continue
            case .late: throw PostgresError(.deadline, "the server did not accept the connection in time")
            }
            if interest == PGRES_POLLING_FAILED { throw lost() }
        }
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else { throw lost() }
    }
}

/// Logs the server's notices. Otherwise libpq would write them to standard error.
final class NoticeLog: Sendable {
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    static let processor: PQnoticeProcessor = { context, message in
        guard let context, let message else { return }
        let log = Unmanaged<NoticeLog>.fromOpaque(context).takeUnretainedValue()
        let text = String(cString: message).split(whereSeparator: \.isNewline).first ?? ""
        log.logger.debug("postgres notice", metadata: ["notice": "\(text)"])
    }
}
