/// A value that can be read from a column.
///
/// A `RawRepresentable` type with a decodable raw value only needs to declare the conformance.
public protocol PostgresDecodable {
    /// Reads the value from PostgreSQL's text form.
    ///
    /// - Parameter bytes: The column's text. It is valid only during the call.
    /// - Returns: The value, or `nil` if the text is not valid for this type.
    init?(postgresText bytes: UnsafeRawBufferPointer)

    /// The value for SQL `null`, or `nil` if a null is an error.
    static var valueForNull: Self? { get }
}

extension PostgresDecodable {
    /// No value: null is an error.
    public static var valueForNull: Self? { nil }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    /// Reads the raw value.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard let rawValue = RawValue(postgresText: bytes) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    /// Reads the wrapped value.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard let wrapped = Wrapped(postgresText: bytes) else { return nil }
        self = .some(wrapped)
    }

    /// `nil`
    public static var valueForNull: Wrapped?? { .some(.none) }
}
