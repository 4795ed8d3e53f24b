import CLibFIDO2
import Crypto

/// The public half of a passkey, as the service stores it.
public struct PasskeyCredential: Hashable, Sendable {
    /// The algorithms, as COSE identifiers (https://www.iana.org/assignments/cose): ES256, EdDSA and RS256.
    public static let algorithms = [-7, -8, -257]

    /// The ID, which the authenticator chose: 1 to 1,023 bytes.
    public let id: [UInt8]
    /// The algorithm, one of ``algorithms``.
    public let algorithm: Int
    /// The public key, in the form of libfido2.
    public let publicKey: [UInt8]
    /// The counter after the last use.
    public let counter: UInt32

    /// Creates a credential from its stored parts.
    public init(id: [UInt8], algorithm: Int, publicKey: [UInt8], counter: UInt32) {
        self.id = id
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.counter = counter
    }

    /// Reads the key in authenticator data.
    /// - Throws: ``PasskeyFault/algorithm`` or ``PasskeyFault/authenticatorData``.
    init(authenticatorData: [UInt8], counter: UInt32) throws(PasskeyFault) {
        // Bit 6 says that the data contains a key.
        guard authenticatorData[32] & 0x40 != 0 else { throw .authenticatorData }
        // libfido2 reads the data only if the algorithm is known before.
        for algorithm in Self.algorithms {
            var credential = fido_cred_new()
            defer { fido_cred_free(&credential) }
            guard fido_cred_set_type(credential, Int32(algorithm)) == FIDO_OK,
                fido_cred_set_authdata_raw(credential, authenticatorData, authenticatorData.count) == FIDO_OK,
                let id = fido_cred_id_ptr(credential), let key = fido_cred_pubkey_ptr(credential)
            else { continue }
            let idLength = fido_cred_id_len(credential)
            guard (1...1_023).contains(idLength) else { throw .authenticatorData }
            self.init(
                id: Array(UnsafeBufferPointer(start: id, count: idLength)), algorithm: algorithm,
                publicKey: Array(UnsafeBufferPointer(start: key, count: fido_cred_pubkey_len(credential))),
                counter: counter)
            return
        }
        throw .algorithm
    }

    /// Whether the private half signed an assertion for a relying party.
    func signed(_ assertion: PasskeyAssertion, for party: RelyingParty) -> Bool {
        var assert = fido_assert_new()
        defer { fido_assert_free(&assert) }
        let hash = Array(SHA256.hash(data: assertion.clientData))
        guard fido_assert_set_clientdata_hash(assert, hash, hash.count) == FIDO_OK,
            fido_assert_set_rp(assert, party.id) == FIDO_OK, fido_assert_set_count(assert, 1) == FIDO_OK,
            fido_assert_set_authdata_raw(
                assert, 0, assertion.authenticatorData, assertion.authenticatorData.count) == FIDO_OK,
            fido_assert_set_sig(assert, 0, assertion.signature, assertion.signature.count) == FIDO_OK
        else { return false }
        return withKey { fido_assert_verify(assert, 0, Int32(algorithm), $0) == FIDO_OK }
    }

    /// Calls `body` with the key as libfido2 needs it. Returns false if the key is malformed.
    private func withKey(_ body: (UnsafeRawPointer) -> Bool) -> Bool {
        switch algorithm {
        case -7:
            var key = es256_pk_new()
            defer { es256_pk_free(&key) }
            guard let key, es256_pk_from_ptr(key, publicKey, publicKey.count) == FIDO_OK else { return false }
            return body(UnsafeRawPointer(key))
        case -8:
            var key = eddsa_pk_new()
            defer { eddsa_pk_free(&key) }
            guard let key, eddsa_pk_from_ptr(key, publicKey, publicKey.count) == FIDO_OK else { return false }
            return body(UnsafeRawPointer(key))
        case -257:
            var key = rs256_pk_new()
            defer { rs256_pk_free(&key) }
            guard let key, rs256_pk_from_ptr(key, publicKey, publicKey.count) == FIDO_OK else { return false }
            return body(UnsafeRawPointer(key))
        default: return false
        }
    }
}
