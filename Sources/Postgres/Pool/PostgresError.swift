/// Why a database access did not do what was asked.
///
/// Its description is fit for a log: it never shows a parameter's or a row's value. What the server said beyond that
/// (`ServerError.message`, `.detail`) may quote values, and is for the code that handles the error only.
public struct PostgresError: Error, Sendable, Hashable {
    /// What went wrong, as far as a program has to tell it apart.
    public enum Kind: Sendable, Hashable {
        /// No connection could be made, or the one in use was lost before anything was committed.
        case connection
        /// The deadline passed. The connection was given up: whatever ran on it is rolled back.
        case deadline
        /// Every connection stayed in use for as long as a caller may wait, or too many callers wait already.
        case poolExhausted
        /// The task was cancelled; a running statement was cancelled with it.
        case cancelled
        /// The server refused the statement.
        case server(ServerError)
        /// The connection was lost after `commit` was sent and before its answer: done or not, nobody knows.
        case commitOutcomeUnknown
        /// A row's column is missing, null or of another form than asked for.
        case decoding
        /// A parameter cannot be sent (a string with a NUL, a date out of range). Nothing was sent.
        case encoding
        /// The settings of the connection make no sense. Nothing was tried.
        case configuration
        /// The code that uses the database broke one of its rules: a `Database` outside its closure, COPY.
        case misuse
    }

    /// What went wrong.
    public let kind: Kind
    /// In words, without values.
    public let message: String

    /// An error of a kind other than `.server`.
    ///
    /// - Parameter message: words for a log; must not contain values.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    init(server: ServerError) {
        self.init(.server(server), server.safeDescription)
    }

    /// What the server said, when it refused the statement.
    public var server: ServerError? {
        if case .server(let server) = kind { server } else { nil }
    }

    /// The SQLSTATE of a refused statement, five characters.
    public var sqlState: String? { server?.sqlState }

    /// The name of the constraint that a refused statement violates: the storage layer turns it into its own errors.
    public var constraint: String? { server?.constraint }

    /// Whether the cause lies with the database's availability, so that the same request may well succeed later (503).
    ///
    /// True for a lost connection, a deadline, an exhausted pool, an unknown commit, and for what the server says
    /// about its own state: class 53 (resources), 57 (operator intervention, statement timeout), 08, lock timeout
    /// (55P03), serialization failure and deadlock (40001, 40P01).
    public var isUnavailable: Bool {
        switch kind {
        case .connection, .deadline, .poolExhausted, .commitOutcomeUnknown: true
        case .server(let server): server.isUnavailable
        case .cancelled, .decoding, .encoding, .configuration, .misuse: false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// The kind and the words, without values.
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
