import EmbeddedPostgres
import Glibc
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Ends `serve` cleanly if a signal arrives before its services run. Running services handle signals themselves.
/// Without this type, an edge of an earlier `serve` would keep running.
final class EarlySignals: Service {
    private enum State {
        case opening
        /// A signal arrived while the database was being opened. The process ends.
        case leaving
        case opened
        /// A signal arrived after the database was opened, but before the services run.
        case stopped
    }

    private let state = Mutex(State.opening)

    /// Opens the database. A signal meanwhile ends the edges of the state folder, the private server and the process.
    func open(_ settings: Settings, logger: Logger, _ log: LogWriter) async throws -> DatabaseAccess {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let opening = Task { try await DatabaseAccess.forServing(settings, logger: logger) }
        Task { [self] in
            for await _ in signals where take() == .leaving {
                await FolderEdges(settings).end(logger)
                // The private server must be stopped. An external server may never answer, so do not wait for it.
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
        // Do not start anything more, because the process is about to end.
        while isLeaving { try await Task.sleep(for: .seconds(1)) }
        return access
    }

    /// Runs as one of the services. Ends all of them if a signal arrived before they ran.
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
