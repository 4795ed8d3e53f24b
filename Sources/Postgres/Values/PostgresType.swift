/// A PostgreSQL type, by its object identifier. The identifiers of built-in types never change (`pg_type.dat`).
public struct PostgresType: RawRepresentable, Sendable, Hashable {
    /// The object identifier.
    public let rawValue: UInt32

    /// Creates a type from its object identifier.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// `boolean`
    public static let bool = PostgresType(rawValue: 16)
    /// `bytea`
    public static let bytea = PostgresType(rawValue: 17)
    /// `bigint`
    public static let int8 = PostgresType(rawValue: 20)
    /// `text`
    public static let text = PostgresType(rawValue: 25)
    /// `double precision`
    public static let float8 = PostgresType(rawValue: 701)
    /// `timestamp with time zone`
    public static let timestamptz = PostgresType(rawValue: 1184)
    /// `uuid`
    public static let uuid = PostgresType(rawValue: 2950)
    /// `text[]`
    public static let textArray = PostgresType(rawValue: 1009)
    /// `bigint[]`
    public static let int8Array = PostgresType(rawValue: 1016)
    /// `uuid[]`
    public static let uuidArray = PostgresType(rawValue: 2951)
    /// `bytea[]`
    public static let byteaArray = PostgresType(rawValue: 1001)
    /// `timestamptz[]`
    public static let timestamptzArray = PostgresType(rawValue: 1185)
}
