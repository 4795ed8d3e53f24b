import Crypto

/// The fixed part of authenticator data (https://www.w3.org/TR/webauthn-2/#sctn-authenticator-data).
struct AuthenticatorData {
    /// The length of the fixed part in bytes.
    private static let length = 37

    private let flags: UInt8
    /// The number of signatures so far, or 0 if the authenticator does not count.
    let counter: UInt32

    /// - Parameter party: The relying party's ID: the host of the service.
    /// - Throws: ``PasskeyFault/authenticatorData``, also if the user was not present.
    init(_ bytes: [UInt8], party: String) throws(PasskeyFault) {
        guard bytes.count >= Self.length, bytes.starts(with: SHA256.hash(data: Array(party.utf8))) else {
            throw .authenticatorData
        }
        flags = bytes[32]
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        guard flags & 0x01 != 0 else { throw .authenticatorData }
    }

    /// True if the authenticator verified the user, by a PIN or biometrics.
    var isUserVerified: Bool { flags & 0x04 != 0 }
}
