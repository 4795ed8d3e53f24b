/// A statement and its parameters, written as one string literal.
///
/// ```swift
/// let statement: SQL = "select name from teams where team_id = \(teamID)"
/// ```
///
/// Every interpolation becomes a parameter (`$1`, `$2` …). Its PostgreSQL type follows from its Swift type, so values
/// never become part of the text and no casts are needed: a `UUID` compares with a `uuid` column, an `Int` goes into an
/// `integer` or `bigint` column, a `[String]` into `= any(\(names))`. A `String` is `text`; for a `jsonb` column write
/// `\(text)::jsonb`. No interpolation inserts a string unescaped: `\(identifier:)` quotes a name, and `\(fragment:)`
/// inserts another `SQL`.
///
/// At most 65,535 parameters, which is a limit of PostgreSQL's protocol.
public struct SQL: Sendable {
    static let maximumParameters = 65_535

    /// The text around the parameters: one part before the first parameter, and one after each.
    private var literals: [String]
    private(set) var parameters: [PostgresParameter] = []
    /// The first fault of a parameter. Interpolation cannot throw, so the code that sends the statement does.
    private(set) var failure: PostgresError?
    /// Whether the statement is planned every time it runs.
    private(set) var isPlannedAnew = false

    /// A statement that is planned every time it runs, for the values of its parameters and the current content of the
    /// tables. A stored plan may date from when the tables were empty. For statements over thousands of new rows, where
    /// planning takes little time compared with running.
    public static func plannedAnew(_ statement: SQL) -> SQL {
        var copy = statement
        copy.isPlannedAnew = true
        return copy
    }

    init(text: String) {
        literals = [text]
    }

    /// The text with placeholders.
    var text: String {
        var text = ""
        for (number, literal) in literals.enumerated() {
            if number > 0 {
                text += "$"
                text += String(number)
            }
            text += literal
        }
        return text
    }

    mutating func append(text more: String) {
        literals[literals.count - 1] += more
    }

    mutating func append<Value: PostgresEncodable>(value: Value) {
        do throws(PostgresError) {
            parameters.append(try PostgresParameter(value))
            literals.append("")
        } catch {
            failure = failure ?? error
        }
        if parameters.count > Self.maximumParameters {
            failure = failure ?? PostgresError(.encoding, "more than \(Self.maximumParameters) parameters")
        }
    }

    mutating func append(identifier name: String) {
        if name.isEmpty || name.utf8.contains(0) {
            failure = failure ?? PostgresError(.encoding, "an identifier is empty or contains a NUL")
        }
        var quoted = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        append(text: quoted + "\"")
    }

    mutating func append(fragment: SQL) {
        failure = failure ?? fragment.failure
        append(text: fragment.literals[0])
        literals += fragment.literals.dropFirst()
        parameters += fragment.parameters
    }
}

extension SQL: CustomStringConvertible {
    /// The text with placeholders. Never shows values.
    public var description: String { text }
}
