/// Why PostgreSQL refused a statement: the fields of its error report
/// (https://www.postgresql.org/docs/current/protocol-error-fields.html).
public struct ServerError: Sendable, Hashable {
    /// The SQLSTATE, five characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    public var sqlState: String
    /// The primary message. It may quote values: never log or show it.
    public var message: String
    /// The violated constraint's name.
    public var constraint: String?
    /// The table concerned.
    public var table: String?
    /// The column concerned.
    public var column: String?
    /// The detail line. It usually quotes values: never log or show it.
    public var detail: String?
    /// The function in the server that raised the error. It tells errors with the same SQLSTATE apart, in any language.
    var routine: String?
    /// The statement's text, which contains no values.
    public var statement: String?

    /// An error report.
    public init(
        sqlState: String, message: String, constraint: String? = nil, table: String? = nil, column: String? = nil,
        detail: String? = nil
    ) {
        self.sqlState = sqlState
        self.message = message
        self.constraint = constraint
        self.table = table
        self.column = column
        self.detail = detail
    }

    /// Classes whose messages are about the statement's text, roles or the server's state, and never contain values.
    private static let speakingClasses: Set<String> = [
        "08", "25", "26", "28", "40", "42", "53", "55", "57", "58", "3D",
    ]

    var sqlClass: String { String(sqlState.prefix(2)) }

    var safeDescription: String {
        var text = "SQLSTATE \(sqlState)"
        if let constraint { text += ", constraint \(constraint)" }
        if let table { text += ", table \(table)" }
        if let column { text += ", column \(column)" }
        if Self.speakingClasses.contains(sqlClass) { text += ": \(message)" }
        if sqlClass == "42", let statement { text += ", in: \(statement)" }
        return text
    }

    var isUnavailable: Bool {
        switch sqlClass {
        case "08", "53", "57": true
        default: ["55P03", "40001", "40P01", "25P03"].contains(sqlState)
        }
    }

    /// Whether the server is ending this connection (57P01 and similar, 25P03). Then this is not an answer to the
    /// statement.
    var endsConnection: Bool {
        ["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "08P01"].contains(sqlState)
    }

    /// Whether a prepared statement is stale: the server does not know it (26000: a pooler gave us another backend),
    /// already knows its name (42P05: likewise), or has planned it for columns that have changed since.
    var isStaleStatement: Bool {
        sqlState == "26000" || sqlState == "42P05" || (sqlState == "0A000" && routine == "RevalidateCachedQuery")
    }
}
