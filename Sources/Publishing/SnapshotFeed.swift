public import Snapshot
public import Storage

/// Tells consumers what is live: the signed manifest, made anew when an activation has been added, and the files.
public actor SnapshotFeed {
    /// A manifest as it goes over the wire.
    public struct Signed: Sendable {
        /// Its bytes, with the signature.
        public let bytes: [UInt8]
        /// Its entity tag, in quotation marks.
        public let tag: String
        let activation: Int64
    }

    private let store: Store
    private var key: SigningKey
    private var latest: Signed?

    /// A feed of what a store holds, signed with the installation's key.
    public init(store: Store, key: SigningKey) {
        self.store = store
        self.key = key
    }

    /// From now on, signs with this key; what has been signed with another one is signed again.
    public func sign(with key: SigningKey) {
        guard key.verificationKey != self.key.verificationKey else { return }
        self.key = key
        latest = nil
    }

    /// The manifest of all that is live now.
    public func manifest() async throws -> Signed {
        let activation = try await store.read { try $0.lastActivation() }
        if let latest, latest.activation == activation { return latest }
        let live = try await store.read { try $0.liveHosts() }
        let made = try sign(live)
        if latest.map({ $0.activation < made.activation }) ?? true { latest = made }
        return made
    }

    /// A live file by its SHA-256, 32 bytes; `nil` when no host serves it.
    public func blob(_ sha256: [UInt8]) async throws -> [UInt8]? {
        guard let organization = try await store.read({ try $0.organization(withLiveFile: sha256) }) else { return nil }
        return try await store.read(as: organization) { try $0.blob(sha256) }
    }

    private func sign(_ live: LiveHosts) throws -> Signed {
        let entries = live.hosts.compactMap { host in
            ContentHash(bytes: host.sha256).map {
                ManifestEntry(
                    host: host.host, activation: host.activation, version: Int64(host.version), sha256: $0,
                    size: host.size)
            }
        }
        let bytes = try Manifest(activation: live.activation, entries: entries).signed(by: key)
        return Signed(bytes: bytes, tag: Manifest.entityTag(of: bytes), activation: live.activation)
    }
}
