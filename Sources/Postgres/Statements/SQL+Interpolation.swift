extension SQL: ExpressibleByStringInterpolation {
    /// The statement as written.
    public init(stringLiteral text: String) {
        self.init(text: text)
    }

    /// The statement as written, values turned into parameters.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.statement
    }

    /// Collects the pieces of a literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate(set) var statement: SQL

        /// An empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {
            statement = SQL(text: "")
        }

        /// Text of the literal itself.
        public mutating func appendLiteral(_ literal: String) {
            statement.append(text: literal)
        }

        /// A value: becomes a parameter.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            statement.append(value: value)
        }

        /// A value or null: becomes a parameter. Apart from the function above only so that the compiler does not take
        /// the optional for a slip.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            statement.append(value: value)
        }

        /// Another statement, spliced in with its parameters.
        public mutating func appendInterpolation(fragment: SQL) {
            statement.append(fragment: fragment)
        }

        /// A name (of a table, a role, a channel): quoted, so that it stands for itself whatever it contains.
        public mutating func appendInterpolation(identifier: String) {
            statement.append(identifier: identifier)
        }
    }
}
