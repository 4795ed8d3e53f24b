/// Why a manifest was refused, or cannot be made.
public enum ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No trusted key has the id in the signature line.
    case untrustedKey(id: String)
    /// There is no signature line of the right shape at the end.
    case noSignature
    /// The signature does not belong to these bytes.
    case badSignature
    /// The first line is not that of a version this code reads.
    case unknownFormat
    /// The line with this number (from 1) is not written in the one way allowed.
    case notCanonical(line: Int)
    /// The host is not a name in ASCII and lower case.
    case badHost(String)
    /// A number is below 1 where it must not be.
    case badNumber
    /// A file's size is outside of 2 to 131,072 bytes.
    case badSize(host: String, size: Int)
    /// A host stands twice, or after one that sorts behind it.
    case outOfOrder(host: String)
    /// An entry's activation is above that of the whole manifest.
    case activationAboveManifest(host: String)
    /// The number of entries is not the one stated.
    case wrongCount
    /// `emptied` is stated although there are entries.
    case emptiedWithEntries
    /// The manifest is longer than a consumer reads.
    case tooLarge
    /// The signing key does not sign.
    case notSigned

    /// A short name for the kind of fault, stable, for counters.
    public var code: String {
        switch self {
        case .untrustedKey: "untrusted_key"
        case .noSignature: "no_signature"
        case .badSignature: "bad_signature"
        case .unknownFormat: "unknown_format"
        case .notCanonical: "not_canonical"
        case .badHost: "bad_host"
        case .badNumber: "bad_number"
        case .badSize: "bad_size"
        case .outOfOrder: "out_of_order"
        case .activationAboveManifest: "activation_above_manifest"
        case .wrongCount: "wrong_count"
        case .emptiedWithEntries: "emptied_with_entries"
        case .tooLarge: "too_large"
        case .notSigned: "not_signed"
        }
    }

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .untrustedKey(let id): "the manifest is signed by the key \(id), which is not trusted here"
        case .noSignature: "the manifest does not end with a signature line"
        case .badSignature: "the manifest's signature does not belong to its bytes"
        case .unknownFormat: "the manifest is not of a format that this version reads"
        case .notCanonical(let line): "line \(line) of the manifest is not in the one form allowed"
        case .badHost(let host): "\(host.debugDescription) is not a host in ASCII and lower case"
        case .badNumber: "an activation or version is below 1"
        case .badSize(let host, let size): "the file of \(host) has \(size) bytes; 2 to \(Blob.largest) are allowed"
        case .outOfOrder(let host): "\(host) stands twice or out of order"
        case .activationAboveManifest(let host): "the activation of \(host) is above that of the manifest"
        case .wrongCount: "the manifest has another number of hosts than it states"
        case .emptiedWithEntries: "the manifest says that it was emptied, and has hosts"
        case .tooLarge: "the manifest has more than \(Manifest.largest) bytes"
        case .notSigned: "the manifest could not be signed"
        }
    }
}
