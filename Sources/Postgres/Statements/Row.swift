/// One row of a result.
public struct Row: Sendable {
    let set: ResultSet
    let index: Int

    /// The value of a column, by its name.
    ///
    /// - Throws: `.decoding` if the column does not exist, if it is null but `Value` does not accept null, or if the
    ///   text is not valid for `Value`. The error contains the column and the type, never the value.
    public func decode<Value: PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let position = set.column(named: column) else {
            throw PostgresError(.decoding, "there is no column \(column)")
        }
        return try decode(position, as: type)
    }

    /// The value of a column, by its position from 0. This is faster than a look-up by name.
    ///
    /// - Throws: `.decoding`, as for the look-up by name.
    public func decode<Value: PostgresDecodable>(
        _ position: Int, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard position >= 0, position < set.columnCount else {
            throw PostgresError(.decoding, "there is no column \(position) among \(set.columnCount)")
        }
        guard let bytes = set.bytes(row: index, column: position) else {
            guard let value = Value.valueForNull else { throw mismatch(position, "is null and not", type) }
            return value
        }
        guard let value = Value(postgresText: bytes) else { throw mismatch(position, "cannot be read as", type) }
        return value
    }

    /// The values of the first columns, in order: `let (host, number) = try row.decode(String.self, Int.self)`.
    ///
    /// - Throws: `.decoding`, as for a single value.
    public func decode<First: PostgresDecodable, Second: PostgresDecodable, each Rest: PostgresDecodable>(
        _ first: First.Type, _ second: Second.Type, _ rest: repeat (each Rest).Type
    ) throws(PostgresError) -> (First, Second, repeat each Rest) {
        var position = 1
        func next<Value: PostgresDecodable>(_ type: Value.Type) throws(PostgresError) -> Value {
            position += 1
            return try decode(position, as: type)
        }
        return (try decode(0, as: first), try decode(1, as: second), repeat try next((each Rest).self))
    }

    private func mismatch<Value>(_ position: Int, _ relation: String, _ type: Value.Type) -> PostgresError {
        PostgresError(.decoding, "column \(set.name(ofColumn: position) ?? "\(position)") \(relation) \(type)")
    }
}
