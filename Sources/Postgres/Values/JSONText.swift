/// A JSON document as text, for and from a `jsonb` (or `json`) column.
///
/// PostgreSQL keeps the last of duplicate keys, orders keys its own way and refuses `\u0000`: what must stay byte for
/// byte is stored as `bytea` or `text` instead.
public struct JSONText: RawRepresentable, Sendable, Hashable, PostgresEncodable, PostgresDecodable {
    /// The document.
    public let rawValue: String

    /// A document. Whether it is one, the server decides.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `jsonb`
    public static var postgresType: PostgresType { .jsonb }
}
