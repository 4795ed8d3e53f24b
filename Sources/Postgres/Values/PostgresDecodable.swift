/// A value that can be read from a row's column.
///
/// Conforming types of one's own need nothing but the conformance when they are `RawRepresentable` with a decodable
/// raw value.
public protocol PostgresDecodable {
    /// Reads the value from the text form that PostgreSQL sends.
    ///
    /// - Parameter bytes: the column's text; valid during the call only.
    /// - Returns: nil when the text is not one of this type's.
    init?(postgresText bytes: UnsafeRawBufferPointer)

    /// The value that stands for SQL `null`; nil when there is none, so that a null is an error.
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
