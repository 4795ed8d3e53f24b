internal import Glibc

/// What a directory holds: a verified manifest, and the hosts that have not got as far.
public struct StoredSnapshot: Sendable {
    /// Verified against the trusted keys.
    public let manifest: Manifest
    /// The SHA-256 of the signed bytes.
    public let manifestHash: ContentHash
    /// Entries that stand in place of the manifest's, in the order of their hosts.
    public let held: [ManifestEntry]
}

extension SnapshotDirectory {
    /// The snapshot on the disk, or nil where there is none yet. Verifies the manifest; `blob` verifies each file.
    public func load(trusted: [VerificationKey]) throws(SnapshotDirectoryError) -> StoredSnapshot? {
        // The list of held entries is named after the manifest, so a manifest replaced in between is simply read again.
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

    /// The manifest's signed bytes as they stand on the disk, not verified; nil where there are none.
    public func signedManifest() throws(SnapshotDirectoryError) -> [UInt8]? {
        try translating { () throws(FileSystemError) in
            try OpenFile.contents(of: manifestPath, limit: Manifest.largest)
        }
    }

    /// Makes `signed` the snapshot. Every blob that it names and that is to be served must be stored before.
    ///
    /// - Parameters:
    ///   - signed: the bytes of a manifest that has been verified.
    ///   - activation: that manifest's activation.
    ///   - held: the entries that are served in place of the manifest's.
    /// - Returns: the SHA-256 of `signed`.
    /// - Throws: `wentBack` where a process ahead of this one has stored a higher activation.
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

    /// Changes which entries are held back from the manifest on the disk; does nothing if that is another one.
    public func store(held: [ManifestEntry], of manifest: ContentHash) throws(SnapshotDirectoryError) {
        try locked { () throws(FileSystemError) in
            guard let signed = try OpenFile.contents(of: manifestPath, limit: Manifest.largest),
                ContentHash(of: signed) == manifest
            else { return }
            try writeHeld(held, of: manifest)
        }
    }

    /// The activation that the manifest on the disk states. It is not verified: a damaged file says 0 and is replaced.
    private func storedActivation() throws(FileSystemError) -> Int64? {
        try OpenFile.beginning(of: manifestPath, count: 128).map { Manifest.statedActivation(in: $0) ?? 0 }
    }
}
