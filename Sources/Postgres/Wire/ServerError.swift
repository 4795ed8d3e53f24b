/// What PostgreSQL said when it refused a statement: the fields of its error report
/// (https://www.postgresql.org/docs/current/protocol-error-fields.html).
public struct ServerError: Sendable, Hashable {
    /// The SQLSTATE, five characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    public var sqlState: String
    /// The primary message. May quote values: never log or show it.
    public var message: String
    /// The violated constraint's name.
    public var constraint: String?
    /// The table concerned.
    public var table: String?
    /// The column concerned.
    public var column: String?
    /// The detail line. Quotes values as a rule: never log or show it.
    public var detail: String?
    /// The function in the server that raised the error: tells errors apart that share a SQLSTATE, in any language.
    var routine: String?
    /// The statement's text, which holds no values.
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

    /// Classes whose messages speak of the statement's text, of roles or of the server's state, never of values.
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

    /// The server is ending this connection (57P01 and its neighbours, 25P03): not an answer to the statement.
    var endsConnection: Bool {
        ["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "08P01"].contains(sqlState)
    }

    /// A prepared statement that no longer fits: unknown here (26000, a pooler gave another backend), known already
    /// under this name (42P05, likewise), or planned for columns that have changed since.
    var isStaleStatement: Bool {
        sqlState == "26000" || sqlState == "42P05" || (sqlState == "0A000" && routine == "RevalidateCachedQuery")
    }
}
