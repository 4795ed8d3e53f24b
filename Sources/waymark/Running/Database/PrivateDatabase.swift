import EmbeddedPostgres
import Logging
import Postgres
import ServiceLifecycle

/// Keeps the private PostgreSQL server running. If it ends, for example because it ran out of memory, it is restarted
/// and recovers. The pools reconnect automatically. Meanwhile, the edge continues to serve.
actor PrivateDatabase: Service {
    private var server: EmbeddedPostgres
    private let dataDirectory: String
    private let logger: Logger

    init(_ server: EmbeddedPostgres, dataDirectory: String, logger: Logger) {
        self.server = server
        self.dataDirectory = dataDirectory
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if await !self.server.isRunning { await self.restart() }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Stops the server. Call it after everything that uses the database has ended.
    func stop() async throws {
        try await server.stop()
    }

    private func restart() async {
        logger.error("The private PostgreSQL ended; restarting it.")
        do {
            try? await server.stop()
            server = try await EmbeddedPostgres.start(
                EmbeddedPostgres.Settings(dataDirectory: dataDirectory), logger: logger)
            logger.notice("The private PostgreSQL is running again.")
        } catch {
            logger.error("The private PostgreSQL could not be started.", metadata: ["error": "\(error)"])
        }
    }
}
