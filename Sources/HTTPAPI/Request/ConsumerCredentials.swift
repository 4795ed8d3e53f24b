public import Storage
internal import Synchronization

/// The accepted credentials of snapshot consumers: normally one, during a rotation two. They can be replaced while
/// requests are being handled.
public final class ConsumerCredentials: Sendable {
    /// The SHA-256 digests of the credentials.
    private let digests: Mutex<[[UInt8]]>

    /// Creates the list of accepted credentials. If it is empty, no consumer is accepted.
    public init(_ secrets: [Secret]) {
        digests = Mutex(secrets.map(\.sha256))
    }

    /// Replaces the accepted credentials.
    public func replace(by secrets: [Secret]) {
        let replacements = secrets.map(\.sha256)
        digests.withLock { $0 = replacements }
    }

    /// Returns true if the credential is accepted.
    func contain(_ shown: String) -> Bool {
        let shown = digest(Array(shown.utf8))
        return digests.withLock { $0.contains(shown) }
    }
}
