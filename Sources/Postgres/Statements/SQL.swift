/// A statement and its parameters, written as one string literal.
///
/// ```swift
/// let statement: SQL = "select name from teams where team_id = \(teamID)"
/// ```
///
/// Every interpolation becomes a parameter (`$1`, `$2` …). Its PostgreSQL type depends on its Swift type. So values are
/// never part of the text, and no casts are needed: use a `UUID` with a `uuid` column, an `Int` with an `integer` or
/// `bigint` column, a `[String]` in `= any(\(names))`. A `String` is `text`; for a `jsonb` column write
/// `\(text)::jsonb`. To insert a name, use `\(identifier:)`, which quotes it. To insert another `SQL`, use
/// `\(fragment:)`.
///
/// PostgreSQL's protocol allows at most 65,535 parameters.
public struct SQL: Sendable {
    static let maximumParameters = 65_535

    /// The text around the parameters: one part before the first parameter, and one after each.
    private var literals: [String]
    private(set) var parameters: [PostgresParameter] = []
    /// The first parameter that cannot be sent. Interpolation cannot throw, so running the statement throws this error.
    private(set) var failure: PostgresError?
    /// True if the statement is planned every time it runs.
    private(set) var isReplanned = false

    /// Creates a statement that is planned on every run, for its current parameters and the current size of the tables.
    /// A stored plan may be from a time when the tables were empty. Use it for statements on thousands of new rows,
    /// because planning is then cheap compared with running.
    public static func replanned(_ statement: SQL) -> SQL {
        var copy = statement
        copy.isReplanned = true
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
    /// The text with placeholders. It never contains values.
    public var description: String { text }
}
