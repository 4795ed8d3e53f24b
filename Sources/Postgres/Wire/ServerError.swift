/// An error report of PostgreSQL, by its fields (https://www.postgresql.org/docs/current/protocol-error-fields.html).
public struct ServerError: Sendable, Hashable {
    /// The SQLSTATE, five characters (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    public var sqlState: String
    /// The primary message. It may quote values, so never log or show it.
    public var message: String
    /// The name of the violated constraint.
    public var constraint: String?
    /// The affected table.
    public var table: String?
    /// The affected column.
    public var column: String?
    /// The detail line. It usually quotes values, so never log or show it.
    public var detail: String?
    /// The server function that raised the error. It identifies an error more precisely than the SQLSTATE, in every
    /// language.
    var routine: String?
    /// The statement's text. It contains no values.
    public var statement: String?

    /// Creates an error report.
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

    /// Error classes whose messages never contain values. They are about the statement's text, roles, or the server's
    /// state.
    private static let descriptiveClasses: Set<String> = [
        "08", "25", "26", "28", "40", "42", "53", "55", "57", "58", "3D",
    ]

    var sqlClass: String { String(sqlState.prefix(2)) }

    var safeDescription: String {
        var text = "SQLSTATE \(sqlState)"
        if let constraint { text += ", constraint \(constraint)" }
        if let table { text += ", table \(table)" }
        if let column { text += ", column \(column)" }
        if Self.descriptiveClasses.contains(sqlClass) { text += ": \(message)" }
        if sqlClass == "42", let statement { text += ", in: \(statement)" }
        return text
    }

    var isUnavailable: Bool {
        switch sqlClass {
        case "08", "53", "57": true
        default: ["55P03", "40001", "40P01", "25P03"].contains(sqlState)
        }
    }

    /// True if the server is ending this connection (57P01 and similar, 25P03). The error is then not about the
    /// statement.
    var endsConnection: Bool {
        ["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "08P01"].contains(sqlState)
    }

    /// True if a prepared statement is stale. Either the server does not know it (26000) or already knows its name
    /// (42P05), because a pooler switched the backend. Or columns have changed since the server planned it.
    var isStaleStatement: Bool {
        sqlState == "26000" || sqlState == "42P05" || (sqlState == "0A000" && routine == "RevalidateCachedQuery")
    }
}
