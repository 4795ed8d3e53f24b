import Glibc
import Hex
public import Logging
public import Postgres

/// A private PostgreSQL server that this process starts and owns. It is reachable only through a Unix socket in a
/// folder that only the same user and root can access. The superuser is `postgres`.
///
/// The server stops when this process stops it or ends for any reason. The next start on the same data recovers, as
/// PostgreSQL does after a crash.
public final class EmbeddedPostgres: Sendable {
    /// The settings of the server.
    public struct Settings: Sendable {
        /// The data folder. It is created if missing. Next to it are a log, a lock file and the socket's folder. If
        /// this process runs as root, `user` must have access to the folder (for example `/var/lib/waymark/postgres`).
        public var dataDirectory: String
        /// True if commits survive a crash of the machine. False only in tests.
        public var durable = true
        /// The user of the server if this process runs as root. Default `postgres`.
        public var user = "postgres"
        /// The maximum number of connections. Default 100.
        public var maximumConnections = 100
        /// The time limit for starting, including recovery, and for stopping. Default 60 s.
        public var patience: Duration = .seconds(60)

        /// Creates default settings.
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

    /// Starts the server. Creates the cluster if necessary.
    ///
    /// If the server of a killed process still runs on the data, that server is stopped first.
    ///
    /// - Throws: `EmbeddedPostgresError`.
    public static func start(_ settings: Settings, logger: Logger) async throws -> EmbeddedPostgres {
        try await launch(settings, removing: nil, logger: logger)
    }

    /// Starts a server for tests. Its data is not durable. Its folder in `/tmp` is removed when the server stops or
    /// this process ends.
    ///
    /// - Throws: `EmbeddedPostgresError`.
    public static func startTemporary(maximumConnections: Int, logger: Logger) async throws -> EmbeddedPostgres {
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
        // Use a separate task, which is not cancelled with the caller's task, so that a start is always completed.
        try await Task {
            let starter = try ServerStarter(settings, removing: removing, logger: logger)
            let server = try await starter.start()
            return EmbeddedPostgres(server: server, directory: starter.directory, patience: settings.patience)
        }.value
    }

    /// Stops the server. Sessions are closed, and no commit is lost. A second call does nothing.
    ///
    /// - Throws: `EmbeddedPostgresError.late`.
    public func stop() async throws {
        let (server, patience) = (server, patience)
        try await Task { try await server.stop(patience: patience) }.value
    }

    /// True if the server is running. The exit status is checked first, because the files cannot be read if the process
    /// has no free descriptor.
    public var isRunning: Bool { server.watcher.exitStatus == nil || directory.postmaster != nil }

    /// The connection URL.
    public func url(database: String, role: String) -> String {
        "postgresql:///\(Self.encoded(database))?host=\(Self.encoded(directory.socketDirectory))&port=5432&user=\(Self.encoded(role))"
    }

    /// The connection configuration.
    public func configuration(database: String, role: String) -> PostgresConfiguration {
        PostgresConfiguration(keywords: [
            "host": directory.socketDirectory, "port": "5432", "dbname": database, "user": role,
        ])
    }

    /// Percent-encodes all bytes except the unreserved characters of RFC 3986, section 2.3.
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
