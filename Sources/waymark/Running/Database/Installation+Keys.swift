import FoundationEssentials
import Snapshot
import Storage

extension Settings {
    /// The key that signs the snapshot; made where there is none. Its public half, and that of the next one, if there is
    /// one, is written to where consumers look for it.
    func signingKey() throws -> SigningKey {
        try makeFolder(of: signingKeyFile)
        let key = try SigningKey(loadingOrCreatingAt: signingKeyFile)
        try writePublicKeys()
        return key
    }

    /// The public keys to trust, the signing one's first.
    func publicKeys() throws -> [VerificationKey] {
        try SigningKey.all(contentsOf: signingKeyFile).map(\.verificationKey)
    }

    /// Writes the public keys to where consumers look for them, if others stand there.
    func writePublicKeys() throws {
        let file = SecretFile(path: snapshotKeyFile)
        let lines = try publicKeys().map(\.base64)
        guard try file.lines() != lines else { return }
        try file.replace(lines, mode: 0o644)
    }

    /// The keys that a consumer trusts.
    func trustedKeys() throws -> [VerificationKey] {
        guard snapshotKeys.isEmpty else { return try snapshotKeys.map { try VerificationKey(base64: $0) } }
        guard let lines = try SecretFile(path: snapshotKeyFile).lines(), !lines.isEmpty else {
            throw Invalid(
                name: "WAYMARK_SNAPSHOT_KEY_FILE",
                reason: "names \(snapshotKeyFile), which is not there or empty; copy it from where the API runs")
        }
        return try lines.map { try VerificationKey(base64: $0) }
    }

    /// The credentials of consumers, for the API: one is made where there is none.
    func consumerSecrets() throws -> [Secret] {
        if let secrets = try existingConsumerSecrets() { return secrets }
        try makeFolder(of: consumerSecretFile)
        try SecretFile(path: consumerSecretFile).create([Self.newConsumerSecret().text])
        // Whatever stands there now counts: another process may have been first.
        return try existingConsumerSecrets() ?? []
    }

    /// The credential that a consumer shows.
    func shownConsumerSecret() throws -> Secret {
        guard let secret = try existingConsumerSecrets()?.first else {
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE",
                reason: "names \(consumerSecretFile), which is not there; copy it from where the API runs")
        }
        return secret
    }

    /// A credential for consumers.
    static func newConsumerSecret() -> Secret { Secret(prefix: consumerPrefix) }

    private static let consumerPrefix = "wmc_"

    private func existingConsumerSecrets() throws -> [Secret]? {
        guard let lines = try SecretFile(path: consumerSecretFile).lines() else { return nil }
        let secrets = lines.compactMap { Secret($0, prefix: Self.consumerPrefix) }
        guard !secrets.isEmpty, secrets.count == lines.count else {
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE", reason: "names a file that does not hold such a credential")
        }
        return secrets
    }

    /// Others may pass through, to the database's folder, and see nothing.
    private func makeFolder(of file: String) throws {
        let folder = SecretFile.folder(of: file)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        } catch {
            throw Invalid(
                name: "WAYMARK_STATE_DIRECTORY", reason: "needs the folder \(folder), which cannot be made by this user"
            )
        }
    }
}
