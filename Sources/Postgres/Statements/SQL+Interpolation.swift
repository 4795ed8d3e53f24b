extension SQL: ExpressibleByStringInterpolation {
    /// Creates a statement from its text.
    public init(stringLiteral text: String) {
        self.init(text: text)
    }

    /// Creates a statement from its text, with its values as parameters.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.statement
    }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate(set) var statement: SQL

        /// Creates an empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {
            statement = SQL(text: "")
        }

        /// Adds text of the literal.
        public mutating func appendLiteral(_ literal: String) {
            statement.append(text: literal)
        }

        /// Adds a value as a parameter.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            statement.append(value: value)
        }

        /// Adds a value or null as a parameter. This overload only prevents the compiler's warning about interpolated
        /// optionals.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            statement.append(value: value)
        }

        /// Inserts another statement with its parameters.
        public mutating func appendInterpolation(fragment: SQL) {
            statement.append(fragment: fragment)
        }

        /// Adds a name (of a table, a role or a channel) in quotes, so that any text is safe.
        public mutating func appendInterpolation(identifier: String) {
            statement.append(identifier: identifier)
        }
    }
}
