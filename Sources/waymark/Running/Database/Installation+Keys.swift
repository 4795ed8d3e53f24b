import FoundationEssentials
import Snapshot
import Storage

extension Settings {
    /// Returns the key that signs the snapshot. Creates it if it does not exist. Writes the public keys to the file
    /// that consumers read.
    func signingKey() throws -> SigningKey {
        try makeFolder(of: signingKeyFile)
        let key = try SigningKey(loadingOrCreatingAt: signingKeyFile)
        try writePublicKeys()
        return key
    }

    /// The trusted public keys. The signing key's is first.
    func publicKeys() throws -> [VerificationKey] {
        try SigningKey.all(contentsOf: signingKeyFile).map(\.verificationKey)
    }

    /// Writes the public keys to the file that consumers read, if they have changed.
    func writePublicKeys() throws {
        let file = SecretFile(path: snapshotKeyFile)
        let lines = try publicKeys().map(\.base64)
        guard try file.lines() != lines else { return }
        try file.replace(lines, mode: 0o644)
    }

    /// The public keys that a consumer trusts, from the setting or from the file.
    func trustedKeys() throws -> [VerificationKey] {
        guard snapshotKeys.isEmpty else { return try snapshotKeys.map { try VerificationKey(base64: $0) } }
        guard let lines = try SecretFile(path: snapshotKeyFile).lines(), !lines.isEmpty else {
            throw Invalid(
                name: "WAYMARK_SNAPSHOT_KEY_FILE",
                reason: "names \(snapshotKeyFile), which does not exist or is empty; copy it from the API's machine")
        }
        return try lines.map { try VerificationKey(base64: $0) }
    }

    /// Returns the credentials that the API accepts from consumers. Creates one if necessary.
    func consumerSecrets() throws -> [Secret] {
        if let secrets = try existingConsumerSecrets() { return secrets }
        try makeFolder(of: consumerSecretFile)
        try SecretFile(path: consumerSecretFile).create([Self.newConsumerSecret().text])
        // Read the file, because another process may have created it first.
        return try existingConsumerSecrets() ?? []
    }

    /// The credential that a consumer sends.
    func shownConsumerSecret() throws -> Secret {
        guard let secret = try existingConsumerSecrets()?.first else {
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE",
                reason: "names \(consumerSecretFile), which does not exist; copy it from the API's machine")
        }
        return secret
    }

    /// A new credential for consumers.
    static func newConsumerSecret() -> Secret { Secret(prefix: consumerPrefix) }

    private static let consumerPrefix = "wmc_"

    private func existingConsumerSecrets() throws -> [Secret]? {
        guard let lines = try SecretFile(path: consumerSecretFile).lines() else { return nil }
        let secrets = lines.compactMap { Secret($0, prefix: Self.consumerPrefix) }
        guard !secrets.isEmpty, secrets.count == lines.count else {
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE", reason: "names a file without a valid credential")
        }
        return secrets
    }

    /// Creates the folder. Other users can pass through it to the database's folder, but cannot list it.
    private func makeFolder(of file: String) throws {
        let folder = SecretFile.folder(of: file)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        } catch {
            throw Invalid(
                name: "WAYMARK_STATE_DIRECTORY", reason: "requires the folder \(folder), which this user cannot create"
            )
        }
    }
}
