public import FoundationEssentials
import Hex

/// An element of an array parameter or column: `[String]` is `text[]`, `[Int]` is `bigint[]`, `[UUID]` is `uuid[]`.
/// Bytes are an exception: `[UInt8]` is `bytea`.
public protocol PostgresArrayElement: PostgresEncodable, PostgresDecodable {
    /// The array's type.
    static var postgresArrayType: PostgresType { get }

    /// The array as it is sent to PostgreSQL.
    static func encodedArray(_ elements: [Self]) throws(PostgresError) -> PostgresEncoding

    /// Reads the array from PostgreSQL's text form. Returns `nil` if it is not valid.
    static func decodedArray(_ bytes: UnsafeRawBufferPointer) -> [Self]?
}

extension PostgresArrayElement {
    /// `{"a","b"}`, https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
    public static func encodedArray(_ elements: [Self]) throws(PostgresError) -> PostgresEncoding {
        var literal = ArrayLiteral()
        for element in elements { try literal.append(element.encodedForPostgres()) }
        return .text(literal.text)
    }

    /// Reads a one-dimensional array.
    public static func decodedArray(_ bytes: UnsafeRawBufferPointer) -> [Self]? {
        ArrayLiteral.elements(of: bytes)
    }
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    /// The element's array type.
    public static var postgresType: PostgresType { Element.postgresArrayType }

    /// The array as it is sent to PostgreSQL.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding {
        try Element.encodedArray(self)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    /// Reads a one-dimensional array without nulls.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard let elements = Element.decodedArray(bytes) else { return nil }
        self = elements
    }
}

extension String: PostgresArrayElement {
    /// `text[]`
    public static var postgresArrayType: PostgresType { .textArray }
}

extension Int: PostgresArrayElement {
    /// `bigint[]`
    public static var postgresArrayType: PostgresType { .int8Array }
}

extension Int64: PostgresArrayElement {
    /// `bigint[]`
    public static var postgresArrayType: PostgresType { .int8Array }
}

extension UUID: PostgresArrayElement {
    /// `uuid[]`
    public static var postgresArrayType: PostgresType { .uuidArray }
}

extension Date: PostgresArrayElement {
    /// `timestamptz[]`
    public static var postgresArrayType: PostgresType { .timestamptzArray }
}

extension Array: PostgresArrayElement where Element == UInt8 {
    /// `bytea[]`
    public static var postgresArrayType: PostgresType { .byteaArray }
}

extension UInt8: PostgresArrayElement {
    /// `bigint`, for a single byte.
    public static var postgresType: PostgresType { .int8 }

    /// Decimal digits.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding { .text(String(self)) }

    /// Reads decimal digits. Returns `nil` above 255.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard let value = Int64(postgresText: bytes) else { return nil }
        self.init(exactly: value)
    }

    /// `bytea`
    public static var postgresArrayType: PostgresType { .bytea }

    /// The bytes unchanged.
    public static func encodedArray(_ elements: [UInt8]) throws(PostgresError) -> PostgresEncoding { .binary(elements) }

    /// Reads `\x` and hexadecimal digits (`bytea_output = hex`).
    public static func decodedArray(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.starts(with: "\\x".utf8) else { return nil }
        return Hexadecimal.decode(bytes.dropFirst(2))
    }
}
