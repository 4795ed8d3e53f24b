import Glibc
import Logging
import Postgres
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Ends `serve` cleanly when it is stopped before its services run, which hear signals themselves: without this, an edge
/// that an earlier `serve` has left would run on.
final class EarlySignals: Service {
    private enum State {
        case opening
        /// A signal came while the database was being opened: the process ends.
        case leaving
        case opened
        /// A signal came after that, and before the services run.
        case stopped
    }

    private let state = Mutex(State.opening)

    /// Opens the database. A signal meanwhile ends the edges of the state folder, the private server and the process.
    func open(_ settings: Settings, logger: Logger) async throws -> DatabaseAccess {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let opening = Task { try await DatabaseAccess.forServing(settings, logger: logger) }
        Task { [self] in
            for await _ in signals where take() == .leaving {
                await FolderEdges(settings).end(logger)
                // A server of our own ends with us. One of others is not waited for: it may never answer.
                if settings.databaseURL == nil { try? await opening.value.embedded?.stop() }
                exit(EXIT_SUCCESS)
            }
        }
        let access = try await opening.value
        let isLeaving = state.withLock { state in
            if state == .opening { state = .opened }
            return state == .leaving
        }
        // Nothing more is begun: the process is about to end.
        while isLeaving { try await Task.sleep(for: .seconds(1)) }
        return access
    }

    /// As one of the services: ends them if a signal came before they ran.
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
