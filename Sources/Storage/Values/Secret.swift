import Crypto

/// A random secret. It is shown once and stored as its SHA-256.
///
/// Its text is a prefix and 40 characters of base 32: 160 random bits and 40 bits of checksum. A mistyped secret is
/// therefore detected without a look-up, and scanners can detect leaked secrets.
public struct Secret: Sendable {
    /// The prefix of API tokens.
    public static let tokenPrefix = "wm_"

    /// The secret's text. It must never be logged or stored.
    public let text: String

    /// Creates a random secret.
    public init(prefix: String) {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<20).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text = prefix + Secret.base32(random + Secret.checksum(prefix: prefix, random))
    }

    /// Creates a secret from its text. Returns `nil` if its prefix, length, alphabet or checksum is wrong.
    public init?(_ text: String, prefix: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == prefix.utf8.count + 40, bytes.starts(with: prefix.utf8),
            let decoded = Secret.decoded(bytes.dropFirst(prefix.utf8.count))
        else { return nil }
        guard Secret.checksum(prefix: prefix, Array(decoded.prefix(20))) == Array(decoded.suffix(5)) else { return nil }
        self.text = text
    }

    /// The stored form.
    public var sha256: [UInt8] { digest(Array(text.utf8)) }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    private static func checksum(prefix: String, _ random: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array(prefix.utf8) + random).prefix(5))
    }

    /// Encodes 25 bytes as 40 characters of five bits each.
    private static func base32(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= (1 << count) - 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
        return bytes
    }
}
