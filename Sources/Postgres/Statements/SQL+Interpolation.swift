extension SQL: ExpressibleByStringInterpolation {
    /// The statement as written.
    public init(stringLiteral text: String) {
        self.init(text: text)
    }

    /// The statement as written, with its values as parameters.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.statement
    }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate(set) var statement: SQL

        /// An empty statement.
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

        /// Adds a value or null as a parameter. It differs from the function above only to prevent the compiler's
        /// warning about an interpolated optional.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            statement.append(value: value)
        }

        /// Inserts another statement with its parameters.
        public mutating func appendInterpolation(fragment: SQL) {
            statement.append(fragment: fragment)
        }

        /// Adds a name (of a table, a role, a channel) in quotes, so that it is a name whatever it contains.
        public mutating func appendInterpolation(identifier: String) {
            statement.append(identifier: identifier)
        }
    }
}
