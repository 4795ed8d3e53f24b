/// The list of held entries beside a manifest.
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

    func removeOtherHeldLists(than manifest: ContentHash) throws(FileSystemError) {
        for name in try DirectoryPath.names(in: path) where name.utf8.starts(with: "held-".utf8) {
            if "\(path)/\(name)" != heldPath(of: manifest) { try writer.remove("\(path)/\(name)") }
        }
    }
}
