/// A value that can be a parameter of a statement.
///
/// A `RawRepresentable` type with an encodable raw value (an identifier, an enumeration) only needs to declare the
/// conformance.
public protocol PostgresEncodable {
    /// The parameter's type. It is sent with the statement, so no casts are needed.
    static var postgresType: PostgresType { get }

    /// Encodes the value for sending.
    ///
    /// - Throws: `PostgresError` of kind `.encoding` if the value cannot be sent. The message must not contain the
    ///   value.
    func encodedForPostgres() throws(PostgresError) -> PostgresEncoding
}

/// The encoded form of a parameter.
public enum PostgresEncoding: Sendable, Hashable {
    /// SQL `null`.
    case null
    /// The text form of the type. It must not contain a NUL.
    case text(String)
    /// The binary form of the type.
    case binary([UInt8])
}

/// An encoded parameter.
struct PostgresParameter: Sendable, Hashable {
    let type: PostgresType
    let encoding: PostgresEncoding

    init<Value: PostgresEncodable>(_ value: Value) throws(PostgresError) {
        type = Value.postgresType
        encoding = try value.encodedForPostgres()
        // Text in PostgreSQL cannot contain a NUL. libpq would silently cut the string at the NUL.
        if case .text(let text) = encoding, text.utf8.contains(0) {
            throw PostgresError(.encoding, "a text parameter contains a NUL character")
        }
    }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    /// The raw value's type.
    public static var postgresType: PostgresType { RawValue.postgresType }

    /// The raw value, encoded.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding {
        try rawValue.encodedForPostgres()
    }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    /// The wrapped value's type.
    public static var postgresType: PostgresType { Wrapped.postgresType }

    /// The wrapped value, encoded, or `null`.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding {
        guard let self else { return .null }
        return try self.encodedForPostgres()
    }
}
