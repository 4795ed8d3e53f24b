import Crypto
import Hex

/// The secret that an authenticator app and this service share, for codes that change with time (TOTP, RFC 6238).
///
/// Codes have 6 digits, change every 30 seconds, and are made with HMAC-SHA-1. Many apps support nothing else.
public struct TOTPSecret: Hashable, Sendable {
    /// The number of bytes (RFC 4226, section 4, R6).
    public static let length = 20
    /// How long an app shows a code, in seconds.
    static let stepSeconds: Int64 = 30
    /// A code is accepted this number of steps too early or too late, because clocks differ (RFC 6238, section 6).
    static let tolerance: Int64 = 1

    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a random secret.
    public init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Creates a secret from its bytes. Returns `nil` if their number is wrong.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// The secret in base 32 (RFC 4648), for people who type it into their app: 32 characters.
    public var base32: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        // Each group of 5 bytes has 8 characters of 5 bits.
        return String(
            stride(from: 0, to: Self.length, by: 5).flatMap { start in
                let group = bytes[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return (0..<8).map { alphabet[Int(group >> (35 - 5 * $0) & 31)] }
            })
    }

    /// The address that apps read from a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format).
    ///
    /// - Parameters:
    ///   - issuer: The service, as the app shows it.
    ///   - account: The user's account, as the app shows it.
    public func uri(issuer: String, account: String) -> String {
        let (issuer, account) = (PercentEncoding.encode(issuer), PercentEncoding.encode(account))
        return "otpauth://totp/\(issuer):\(account)?secret=\(base32)&issuer=\(issuer)"
    }

    /// The step whose code this is, or `nil` if the code is wrong, too old or already used.
    ///
    /// - Parameters:
    ///   - code: 6 digits. Spaces do not count, because apps show them.
    ///   - seconds: The time, in seconds since 1970.
    ///   - last: The last step whose code was used. This step and earlier ones are not accepted, so an
    ///     observed code cannot be used again (RFC 6238, section 5.2).
    public func step(of code: String, at seconds: Int64, after last: Int64) -> Int64? {
        let code = code.filter { $0 != " " }
        let now = seconds / Self.stepSeconds
        return (now - Self.tolerance...now + Self.tolerance).first { $0 > last && self.code(at: $0) == code }
    }

    /// The code of a step: HOTP (RFC 4226, section 5.3) of the step's number.
    func code(at step: Int64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian, Array.init)
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
        let start = Int(mac[19] & 0x0f)
        let number = mac[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
