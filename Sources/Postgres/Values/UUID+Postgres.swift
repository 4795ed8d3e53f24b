public import FoundationEssentials
import Hex

extension UUID: PostgresEncodable, PostgresDecodable {
    /// `uuid`
    public static var postgresType: PostgresType { .uuid }

    /// The 36 characters of the UUID (RFC 9562).
    public func encodedForPostgres() throws(PostgresError) -> PostgresEncoding { .text(uuidString) }

    /// Reads the 36 characters that PostgreSQL writes.
    public init?(postgresText bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 36 else { return nil }
        var octets = (0 as UInt64, 0 as UInt64)
        var nibbles = 0
        for (position, byte) in bytes.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let nibble = Hexadecimal.value(of: byte) else { return nil }
            if nibbles < 16 {
                octets.0 = octets.0 << 4 | UInt64(nibble)
            } else {
                octets.1 = octets.1 << 4 | UInt64(nibble)
            }
            nibbles += 1
        }
        var bigEndian = (octets.0.bigEndian, octets.1.bigEndian)
        self = withUnsafeBytes(of: &bigEndian) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
