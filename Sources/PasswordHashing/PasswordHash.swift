import CLibCrypto
import FoundationEssentials

/// The hash of a password by scrypt (RFC 7914), as a PHC string: `$scrypt$ln=17,r=8,p=1$SALT$HASH`, with SALT and HASH in
/// base 64 without padding. The cost is the first choice of the OWASP Password Storage Cheat Sheet: 128 MiB for each hash.
public struct PasswordHash: Hashable, Sendable {
    private struct Cost: Hashable {
        /// The base-2 logarithm of N.
        let logN: Int
        let r: Int
        let p: Int

        static let current = Cost(logN: 17, r: 8, p: 1)
        /// A stored hash with a higher cost is refused, because it would use too much memory.
        static let maximumLogN = 20
    }

    private static let saltLength = 16
    private static let keyLength = 32

    /// The PHC string.
    public let text: String
    private let cost: Cost
    private let salt: [UInt8]
    private let key: [UInt8]

    /// Hashes a password with a random salt. Takes 128 MiB, so call it through ``PasswordHasher``.
    init(of password: String) {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        self.init(cost: .current, salt: salt, key: Self.derive(password, .current, salt, length: Self.keyLength))
    }

    /// Reads a PHC string of this function. Returns `nil` for any other text.
    public init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let cost = Self.cost(parts[2]), let salt = Self.bytes(parts[3]), let key = Self.bytes(parts[4]),
            !salt.isEmpty, (16...64).contains(key.count)
        else { return nil }
        self.init(cost: cost, salt: salt, key: key)
    }

    private init(cost: Cost, salt: [UInt8], key: [UInt8]) {
        (self.cost, self.salt, self.key) = (cost, salt, key)
        text = "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$\(Self.base64(salt))$\(Self.base64(key))"
    }

    /// True if a new hash would have the same cost. Otherwise, hash the password again at the next sign-in.
    public var isCurrent: Bool { cost == .current }

    /// Compares a password with the hash. The time does not depend on where they differ.
    func matches(_ password: String) -> Bool {
        let other = Self.derive(password, cost, salt, length: key.count)
        return CRYPTO_memcmp(key, other, key.count) == 0
    }

    private static func derive(_ password: String, _ cost: Cost, _ salt: [UInt8], length: Int) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: length)
        let memory = UInt64(256 * cost.r) << cost.logN
        var password = password
        let done = password.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                EVP_PBE_scrypt(
                    $0.baseAddress, $0.count, salt, salt.count, 1 << cost.logN, UInt64(cost.r), UInt64(cost.p),
                    memory, &key, length)
            }
        }
        // It fails only for parameters that `cost(_:)` refuses, or without memory.
        precondition(done == 1, "scrypt could not be computed")
        return key
    }

    private static func cost(_ text: Substring) -> Cost? {
        let values = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        guard values.map(\.first) == ["ln", "r", "p"], let logN = Int(values[0].last ?? ""),
            let r = Int(values[1].last ?? ""), let p = Int(values[2].last ?? ""),
            (1...Cost.maximumLogN).contains(logN), (1...16).contains(r), (1...4).contains(p)
        else { return nil }
        return Cost(logN: logN, r: r, p: p)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)).map(Array.init)
    }
}

extension PasswordHash: CustomStringConvertible {
    /// Hides the hash, so that no log shows it.
    public var description: String { "$scrypt$…" }
}
