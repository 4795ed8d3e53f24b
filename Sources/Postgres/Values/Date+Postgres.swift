public import FoundationEssentials

extension Date: PostgresEncodable, PostgresDecodable {
    /// `timestamp with time zone`
    public static var postgresType: PostgresType { .timestamptz }

    /// The date in RFC 3339 in UTC, rounded to microseconds, which is PostgreSQL's precision. Years 1 to 9999.
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding {
        let rounded = (timeIntervalSince1970 * 1_000_000).rounded()
        guard let microseconds = Int64(exactly: rounded), let text = Timestamp(microseconds: microseconds).text else {
            throw PostgresError(.encoding, "a date lies outside the years 1 to 9999")
        }
        return .text(text)
    }

    /// Reads PostgreSQL's ISO form with any offset. Returns `nil` for `infinity` and dates BC.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard let timestamp = Timestamp(text: bytes) else { return nil }
        self.init(timeIntervalSince1970: Double(timestamp.microseconds) / 1_000_000)
    }
}
