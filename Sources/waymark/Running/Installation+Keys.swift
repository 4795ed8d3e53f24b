import FoundationEssentials
import Glibc
import Snapshot
import Storage

extension Settings {
    /// The key that signs the snapshot; made where there is none.
    func signingKey() throws -> SigningKey {
        try makeFolder(of: signingKeyFile)
        return try SigningKey(loadingOrCreatingAt: signingKeyFile)
    }

    /// The keys that a consumer trusts.
    func trustedKeys() throws -> [VerificationKey] {
        guard snapshotKeys.isEmpty else { return try snapshotKeys.map { try VerificationKey(base64: $0) } }
        return [try SigningKey(contentsOf: signingKeyFile).verificationKey]
    }

    /// The credential of consumers; made where there is none.
    func consumerSecret() throws -> Secret {
        if let secret = try existingConsumerSecret() { return secret }
        try makeFolder(of: consumerSecretFile)
        let secret = Secret(prefix: Self.consumerPrefix)
        let descriptor = open(consumerSecretFile, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // Another process was faster.
            if let secret = try existingConsumerSecret() { return secret }
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE", reason: "cannot be made: \(String(cString: strerror(errno)))")
        }
        Console.write(Array((secret.text + "\n").utf8), to: descriptor)
        close(descriptor)
        return secret
    }

    /// The credential of consumers, for a consumer.
    func requireConsumerSecret() throws -> Secret {
        guard let secret = try existingConsumerSecret() else {
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE",
                reason: "names \(consumerSecretFile), which is not there; copy it from where the API runs")
        }
        return secret
    }

    private static let consumerPrefix = "wmc_"

    private func existingConsumerSecret() throws -> Secret? {
        guard let text = try? String(contentsOfFile: consumerSecretFile, encoding: .utf8) else { return nil }
        guard let secret = Secret(String(text.prefix { !$0.isNewline }), prefix: Self.consumerPrefix) else {
            throw Invalid(
                name: "WAYMARK_CONSUMER_SECRET_FILE", reason: "names a file that does not hold such a credential")
        }
        return secret
    }

    /// Others may pass through, to the database's folder, and see nothing.
    private func makeFolder(of file: String) throws {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard !folder.isEmpty else { return }
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
