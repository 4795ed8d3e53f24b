/// Reads and writes the list of held entries of a manifest.
extension SnapshotDirectory {
    func heldEntries(of manifest: ContentHash) throws(SnapshotDirectoryError) -> [ManifestEntry] {
        let bytes = try translating { () throws(FileSystemError) in
            try OpenFile.contents(of: heldPath(of: manifest), limit: Manifest.largest)
        }
        guard let bytes else { return [] }
        guard let list = EntryList(kind: "held", reading: bytes) else { throw .damagedHeldEntries }
        return list.entries
    }

    func writeHeld(_ entries: [ManifestEntry], of manifest: ContentHash) throws(FileSystemError) {
        if entries.isEmpty {
            try writer.remove(heldPath(of: manifest))
        } else {
            try writer.write(EntryList(kind: "held", entries: entries).bytes, to: heldPath(of: manifest))
        }
    }

    /// Removes the lists of other manifests than the one on the disk, which killed processes left. If the manifest
    /// cannot be read, does nothing, because `load` handles this.
    func removeLeftHeldLists() throws(FileSystemError) {
        guard try !heldLists().isEmpty,
            let signed = try? OpenFile.contents(of: manifestPath, limit: Manifest.largest)
        else { return }
        try removeOtherHeldLists(than: ContentHash(of: signed))
    }

    func removeOtherHeldLists(than manifest: ContentHash) throws(FileSystemError) {
        for list in try heldLists() where list != heldPath(of: manifest) { try writer.remove(list) }
    }

    private func heldLists() throws(FileSystemError) -> [String] {
        try DirectoryPath.names(in: path).filter { $0.utf8.starts(with: "held-".utf8) }.map { "\(path)/\($0)" }
    }
}
