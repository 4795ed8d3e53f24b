import Crypto
import FoundationEssentials
import Hex

/// The digest of an audit trail up to a position. Each entry's digest contains the digest before it, so no entry can be
/// changed, added, moved or removed without a change to all later digests.
///
/// The first digest is the SHA-256 of `waymark audit trail` and the organization's ID, on a line each. Each further one
/// is the SHA-256 of the digest before it and of the entry's line in an export, without its line feed.
public struct AuditChain: Hashable, Sendable {
    /// The position of the last entry, or 0 before the first.
    public private(set) var position: Int64
    /// The digest, 32 bytes.
    public private(set) var digest: [UInt8]

    /// The chain before the first entry of an organization.
    ///
    /// - Parameter organization: The organization's ID, in lower case.
    public init(of organization: String) {
        position = 0
        digest = Storage.digest(Array("waymark audit trail\n\(organization)\n".utf8))
    }

    /// The chain up to a known position.
    public init(position: Int64, digest: [UInt8]) {
        self.position = position
        self.digest = digest
    }

    /// Adds the line of the next entry.
    public mutating func add(_ line: some Sequence<UInt8>) {
        position += 1
        digest = Storage.digest(digest + line)
    }
}

/// A signed statement that a trail had a digest at a position.
public struct AuditCheckpoint: Hashable, Sendable {
    /// The position of the last entry that it covers, and the digest of the chain up to it.
    public let chain: AuditChain
    /// The time of the checkpoint, as RFC 3339 in UTC to the microsecond.
    public let madeAt: String
    /// The ID of the key that signed it: 16 hexadecimal digits.
    public let key: String
    /// The Ed25519 signature of ``message(about:at:in:)``, 64 bytes.
    public let signature: [UInt8]

    /// Creates a checkpoint.
    public init(chain: AuditChain, madeAt: String, key: String, signature: [UInt8]) {
        self.chain = chain
        self.madeAt = madeAt
        self.key = key
        self.signature = signature
    }

    /// The message that a checkpoint's signature covers: five lines, each with a line feed.
    public static func message(about chain: AuditChain, at madeAt: String, in organization: String) -> [UInt8] {
        Array(
            """
            waymark audit checkpoint
            \(organization)
            \(chain.position)
            \(Hexadecimal.encode(chain.digest))
            \(madeAt)

            """.utf8)
    }
}

/// A part of an audit trail, for an export.
public struct AuditStretch: Sendable {
    /// The chain before the first line.
    public let start: AuditChain
    /// The line of each entry, oldest first.
    public let lines: [String]
    /// The checkpoint of the last entry, or `nil` if there is no line.
    public let end: AuditCheckpoint?
}
