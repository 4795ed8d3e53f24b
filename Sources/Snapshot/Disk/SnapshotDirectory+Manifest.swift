internal import Glibc

/// A snapshot on a disk: the verified manifest, and the entries of hosts that still have an older entry.
public struct StoredSnapshot: Sendable {
    /// The manifest, verified with the trusted keys.
    public let manifest: Manifest
    /// The SHA-256 of the signed bytes.
    public let manifestHash: ContentHash
    /// Entries to serve instead of those in the manifest, sorted by host.
    public let held: [ManifestEntry]
}

extension SnapshotDirectory {
    /// Returns the snapshot on the disk, or `nil` if the disk has no snapshot yet. Verifies the manifest, but no files:
    /// `blob` verifies each file.
    public func load(trusted: [VerificationKey]) throws(SnapshotDirectoryError) -> StoredSnapshot? {
        // The list of held entries is named after the manifest. If another process replaced the manifest meanwhile,
        // load it again.
        for _ in 0..<3 {
            let identity = FileIdentity(of: manifestPath)
            guard let signed = try signedManifest() else { return nil }
            let hash = ContentHash(of: signed)
            let manifest: Manifest
            do throws(ManifestError) {
                manifest = try Manifest(verifying: signed, trusted: trusted)
            } catch {
                throw .manifest(error)
            }
            let held = try heldEntries(of: hash)
            guard FileIdentity(of: manifestPath) == identity else { continue }
            return StoredSnapshot(manifest: manifest, manifestHash: hash, held: held)
        }
        throw .fileSystem(FileSystemError(operation: "read", path: manifestPath, code: EBUSY))
    }

    /// The signed bytes of the manifest on the disk, not verified. `nil` if there is no manifest.
    public func signedManifest() throws(SnapshotDirectoryError) -> [UInt8]? {
        try translating { () throws(FileSystemError) in
            try OpenFile.contents(of: manifestPath, limit: Manifest.largest)
        }
    }

    /// Makes `signed` the current snapshot. Store all blobs that it will serve first.
    ///
    /// - Parameters:
    ///   - signed: The bytes of a verified manifest.
    ///   - activation: The manifest's activation.
    ///   - held: The entries that are served instead of those of the manifest.
    /// - Returns: The SHA-256 of `signed`.
    /// - Throws: `wentBack` if the manifest on the disk has a higher activation.
    @discardableResult
    public func store(
        signed: [UInt8], activation: Int64, held: [ManifestEntry] = []
    ) throws(SnapshotDirectoryError) -> ContentHash {
        let hash = ContentHash(of: signed)
        let stored: Int64? = try locked { () throws(FileSystemError) in
            if let stored = try storedActivation(), stored > activation { return stored }
            try writeHeld(held, of: hash)
            try writer.write(signed, to: manifestPath)
            try removeOtherHeldLists(than: hash)
            return nil
        }
        if let stored { throw .wentBack(stored: stored, offered: activation) }
        return hash
    }

    /// Changes the held entries of the manifest on the disk. Does nothing if the disk has a different manifest.
    public func store(held: [ManifestEntry], of manifest: ContentHash) throws(SnapshotDirectoryError) {
        try locked { () throws(FileSystemError) in
            guard let signed = try OpenFile.contents(of: manifestPath, limit: Manifest.largest),
                ContentHash(of: signed) == manifest
            else { return }
            try writeHeld(held, of: manifest)
        }
    }

    /// The activation of the manifest on the disk, not verified. It is 0 if the file is damaged, so that the file is
    /// replaced. `nil` if there is no manifest.
    private func storedActivation() throws(FileSystemError) -> Int64? {
        try OpenFile.beginning(of: manifestPath, count: 128).map { Manifest.statedActivation(in: $0) ?? 0 }
    }
}
