/// A value that can be read from a column.
///
/// A type that is `RawRepresentable` with a decodable raw value only has to declare the conformance.
public protocol PostgresDecodable {
    /// Reads the value from PostgreSQL's text form.
    ///
    /// - Parameter bytes: the column's text; valid only during the call.
    /// - Returns: nil if the text is not valid for this type.
    init?(postgresText bytes: UnsafeRawBufferPointer)

    /// The value for SQL `null`; nil if a null is an error.
    static var valueForNull: Self? { get }
}

extension PostgresDecodable {
    /// None.
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
