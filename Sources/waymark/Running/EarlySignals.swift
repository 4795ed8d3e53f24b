import EmbeddedPostgres
import Glibc
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Ends `serve` cleanly if a signal arrives before its services run. Running services handle signals themselves.
/// Without this type, such a signal would leave an edge of an earlier `serve` running.
final class EarlySignals: Service {
    private enum State {
        case opening
        /// A signal arrived while the database was being opened. The process is ending.
        case leaving
        case opened
        /// A signal arrived after the database was opened, but before the services run.
        case stopped
    }

    private let state = Mutex(State.opening)

    /// Opens the database. If a signal arrives meanwhile, stops the edges of the state folder and the private server,
    /// and ends the process.
    func open(_ settings: Settings, logger: Logger, _ log: LogWriter) async throws -> DatabaseAccess {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let opening = Task { try await DatabaseAccess.forServing(settings, logger: logger) }
        Task { [self] in
            for await _ in signals where take() == .leaving {
                await FolderEdges(settings).end(logger)
                // Stop the private server. Do not wait for an external server, because it may never respond.
                if settings.databaseURL == nil { try? await opening.value.embedded?.stop() }
                await log.finish()
                exit(EXIT_SUCCESS)
            }
        }
        let access = try await opening.value
        let isLeaving = state.withLock { state in
            if state == .opening { state = .opened }
            return state == .leaving
        }
        // A signal has arrived, and the process is about to end. Do not start anything else.
        while isLeaving { try await Task.sleep(for: .seconds(1)) }
        return access
    }

    /// Runs as one of the services. If a signal arrived earlier, ends all of them.
    func run() async throws {
        if state.withLock({ $0 == .stopped }) { return }
        try? await gracefulShutdown()
    }

    private func take() -> State {
        state.withLock { state in
            state = state == .opening ? .leaving : .stopped
            return state
        }
    }
}
