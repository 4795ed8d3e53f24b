import Glibc
import Hex
public import Logging
public import Postgres

/// A private PostgreSQL server that we start and own: real PostgreSQL, reachable over a unix socket in a closed folder
/// only. Superuser `postgres`; whoever may enter the folder is trusted, which is our own user and root.
///
/// The server ends with us: when we stop it, and by itself when our process dies, however it dies. Started again on the
/// same data it recovers as PostgreSQL does after a crash.
public final class EmbeddedPostgres: Sendable {
    /// How it runs.
    public struct Settings: Sendable {
        /// Where the data lie; made when missing. Beside it appear `.log`, `.lock` and `.socket`. When started as root
        /// it must be reachable by `user` (`/var/lib/waymark/postgres`).
        public var dataDirectory: String
        /// Whether commits survive a crash of the machine. False only for tests.
        public var durable = true
        /// Whom the server runs as when we are root. Default `postgres`.
        public var user = "postgres"
        /// Connections that the server accepts at most. Default 100.
        public var maximumConnections = 100
        /// How long starting (recovery included) and stopping may take. Default 60 s.
        public var patience: Duration = .seconds(60)

        /// The defaults.
        public init(dataDirectory: String) {
            self.dataDirectory = dataDirectory
        }
    }

    let server: ServerProcess
    private let directory: DataDirectory
    private let patience: Duration

    private init(server: ServerProcess, directory: DataDirectory, patience: Duration) {
        self.server = server
        self.directory = directory
        self.patience = patience
    }

    /// Starts the server, making the cluster when there is none.
    ///
    /// A server that still runs on the data (ours, left by a process that was killed) is stopped first.
    ///
    /// - Throws: `EmbeddedPostgresError`.
    public static func start(_ settings: Settings, logger: Logger) async throws -> EmbeddedPostgres {
        try await launch(settings, removing: nil, logger: logger)
    }

    /// Starts a server whose data are worth nothing: for tests. Not durable; its folder under `/tmp` is removed when
    /// it stops, and when our process dies.
    ///
    /// - Throws: `EmbeddedPostgresError`.
    public static func startThrowaway(maximumConnections: Int, logger: Logger) async throws -> EmbeddedPostgres {
        var template = Array("/tmp/waymark-throwaway-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw EmbeddedPostgresError.system(path: "/tmp", reason: SystemError.text)
        }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = Settings(dataDirectory: root + "/data")
        settings.durable = false
        settings.maximumConnections = maximumConnections
        return try await launch(settings, removing: root, logger: logger)
    }

    private static func launch(
        _ settings: Settings, removing: String?, logger: Logger
    ) async throws -> EmbeddedPostgres {
        // In a task of its own, which is not cancelled with the caller's: a start is never left half done.
        try await Task {
            let starter = try ServerStarter(settings, removing: removing, logger: logger)
            let server = try await starter.start()
            return EmbeddedPostgres(server: server, directory: starter.directory, patience: settings.patience)
        }.value
    }

    /// Stops the server: sessions are ended, nothing committed is lost. Doing it twice does nothing.
    ///
    /// - Throws: `EmbeddedPostgresError.late`.
    public func stop() async throws {
        let (server, patience) = (server, patience)
        try await Task { try await server.stop(patience: patience) }.value
    }

    /// Whether the server runs. Its files alone do not tell: they cannot be read while there are no descriptors left.
    public var isRunning: Bool { server.watcher.exitStatus == nil || directory.postmaster != nil }

    /// How to connect, as a URL.
    public func url(database: String, role: String) -> String {
        "postgresql:///\(Self.encoded(database))?host=\(Self.encoded(directory.socketDirectory))&port=5432&user=\(Self.encoded(role))"
    }

    /// How to connect.
    public func configuration(database: String, role: String) -> PostgresConfiguration {
        PostgresConfiguration(keywords: [
            "host": directory.socketDirectory, "port": "5432", "dbname": database, "user": role,
        ])
    }

    /// Percent-encoded, all but the unreserved characters of RFC 3986, section 2.3.
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + Hexadecimal.encode([byte])
            }
        }
        return result
    }
}
