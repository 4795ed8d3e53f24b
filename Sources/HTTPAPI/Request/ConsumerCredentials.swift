public import Storage
internal import Synchronization

/// The accepted credentials of snapshot consumers: usually one, and two during a rotation. They can be replaced while
/// requests are processed.
public final class ConsumerCredentials: Sendable {
    /// The SHA-256 of each credential.
    private let digests: Mutex<[[UInt8]]>

    /// Accepts these credentials. With an empty list, no consumer is accepted.
    public init(_ secrets: [Secret]) {
        digests = Mutex(secrets.map(\.sha256))
    }

    /// Replaces the accepted credentials.
    public func replace(by secrets: [Secret]) {
        let replacements = secrets.map(\.sha256)
        digests.withLock { $0 = replacements }
    }

    /// Whether a credential is accepted.
    func contain(_ shown: String) -> Bool {
        let shown = digest(Array(shown.utf8))
        return digests.withLock { $0.contains(shown) }
    }
}
