public import Storage
internal import Synchronization

/// The credentials that consumers of the snapshot may show: usually one, two while they are exchanged. They may be
/// replaced while requests are answered.
public final class ConsumerCredentials: Sendable {
    /// The SHA-256 of each.
    private let digests: Mutex<[[UInt8]]>

    /// These credentials; none lets nobody in.
    public init(_ secrets: [Secret]) {
        digests = Mutex(secrets.map(\.sha256))
    }

    /// From now on, these are let in in place of those before.
    public func replace(by secrets: [Secret]) {
        let replacements = secrets.map(\.sha256)
        digests.withLock { $0 = replacements }
    }

    /// Whether what a caller shows is one of them.
    func contain(_ shown: String) -> Bool {
        let shown = digest(Array(shown.utf8))
        return digests.withLock { $0.contains(shown) }
    }
}
