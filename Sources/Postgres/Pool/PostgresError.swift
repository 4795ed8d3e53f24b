/// An error of a database access.
///
/// The description is safe to log, because it never contains the values of parameters or rows. The server's text
/// (`ServerError.message`, `.detail`) may quote values, so never log it.
public struct PostgresError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// The connection failed, or was lost before anything was committed.
        case connection
        /// The deadline passed. The connection was closed, so PostgreSQL rolls its transaction back.
        case deadline
        /// No connection became free in time, or too many callers were waiting already.
        case poolExhausted
        /// The task was cancelled. A running statement was cancelled too.
        case cancelled
        /// The server refused the statement.
        case server(ServerError)
        /// The connection was lost before the server confirmed `commit`, so the outcome is unknown.
        case commitOutcomeUnknown
        /// A column is missing, null, or has an unexpected form.
        case decoding
        /// A parameter cannot be sent, such as a string with a NUL or a date out of range. Nothing was sent.
        case encoding
        /// The connection settings are invalid. No connection was attempted.
        case configuration
        /// The calling code misused the API: for example, it used a `Database` outside its closure, or COPY.
        case misuse
    }

    /// The kind of error.
    public let kind: Kind
    /// A description without values.
    public let message: String

    /// Creates an error of any kind except `.server`.
    ///
    /// - Parameter message: The text for the log. It must not contain values.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    init(server: ServerError) {
        self.init(.server(server), server.safeDescription)
    }

    /// The server's error, if it refused the statement.
    public var server: ServerError? {
        if case .server(let server) = kind { server } else { nil }
    }

    /// The SQLSTATE of a refused statement, five characters.
    public var sqlState: String? { server?.sqlState }

    /// The name of the violated constraint. The storage layer converts it into its own errors.
    public var constraint: String? { server?.constraint }

    /// True if the database was unavailable, so that the same request may succeed later (503).
    ///
    /// Includes a lost connection, a deadline, an exhausted pool and an unknown commit. Also includes errors about the
    /// server's state: class 53 (resources), 57 (operator intervention, statement timeout), 08, lock timeout (55P03),
    /// serialization failure and deadlock (40001, 40P01).
    public var isUnavailable: Bool {
        switch kind {
        case .connection, .deadline, .poolExhausted, .commitOutcomeUnknown: true
        case .server(let server): server.isUnavailable
        case .cancelled, .decoding, .encoding, .configuration, .misuse: false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// The kind and the message, without values.
    public var description: String {
        switch kind {
        case .connection: "database connection: \(message)"
        case .deadline: "database deadline: \(message)"
        case .poolExhausted: "database pool exhausted: \(message)"
        case .cancelled: "database access cancelled: \(message)"
        case .server: "database refused: \(message)"
        case .commitOutcomeUnknown: "database commit of unknown outcome: \(message)"
        case .decoding: "database row: \(message)"
        case .encoding: "database parameter: \(message)"
        case .configuration: "database settings: \(message)"
        case .misuse: "database misused: \(message)"
        }
    }
}
