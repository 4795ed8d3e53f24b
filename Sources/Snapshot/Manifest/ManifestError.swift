/// The reason why a manifest was rejected or cannot be created.
public enum ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No trusted key has the ID in the signature line.
    case untrustedKey(id: String)
    /// The text does not end with a well-formed signature line.
    case noSignature
    /// The signature is not valid for these bytes.
    case badSignature
    /// The first line does not name a supported format.
    case unknownFormat
    /// The line with this number (from 1) does not have the canonical form.
    case notCanonical(line: Int)
    /// The host is not a valid name in ASCII and lower case.
    case badHost(String)
    /// An activation or version is below 1.
    case badNumber
    /// A file's size is not between 2 and 131,072 bytes.
    case badSize(host: String, size: Int)
    /// A host is duplicated or not in sorted order.
    case outOfOrder(host: String)
    /// An entry's activation is higher than that of the manifest.
    case activationAboveManifest(host: String)
    /// The number of entries differs from the number in the head.
    case wrongCount
    /// `emptied` is set, but there are entries.
    case emptiedWithEntries
    /// The manifest is larger than a consumer can read.
    case tooLarge
    /// Signing with the key failed.
    case notSigned

    /// A short, stable name for the kind of fault, for counters.
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

    /// The problem, as text.
    public var description: String {
        switch self {
        case .untrustedKey(let id): "the manifest is signed with the key \(id), which is not trusted here"
        case .noSignature: "the manifest does not end with a signature line"
        case .badSignature: "the manifest's signature is not valid for its bytes"
        case .unknownFormat: "this version does not support the manifest's format"
        case .notCanonical(let line): "line \(line) of the manifest is not in the only allowed form"
        case .badHost(let host): "\(host.debugDescription) is not a valid host in ASCII and lower case"
        case .badNumber: "an activation or version is below 1"
        case .badSize(let host, let size): "the file of \(host) has \(size) bytes; it must have 2 to \(Blob.largest)"
        case .outOfOrder(let host): "\(host) is duplicated or out of order"
        case .activationAboveManifest(let host): "the activation of \(host) is higher than that of the manifest"
        case .wrongCount: "the manifest's number of hosts differs from the number in its head"
        case .emptiedWithEntries: "the manifest says that it was emptied, but it has hosts"
        case .tooLarge: "the manifest has more than \(Manifest.largest) bytes"
        case .notSigned: "the manifest could not be signed"
        }
    }
}
