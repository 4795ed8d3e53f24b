internal import Glibc
internal import Snapshot

/// Maintains symbolic links for nginx and other web servers: one for each host, to the file that the host serves.
///
/// ```text
/// hosts/www.example -> ../blobs/9f86d0….json
/// state               every host with a link made by Waymark, and the activation of the link
/// ```
///
/// `state` is written before links are created, and shortened after links are removed. So it lists every link that
/// Waymark created, even after a crash. Waymark can therefore remove the link of a withdrawn host later, and never
/// changes other links. If `state` is damaged or lost, every link to a file in `blobs` counts as created by Waymark.
struct HostPointers: SnapshotConsumer {
    let root: String
    let writer: DurableWriter

    private static let kind = "state"
    private var hosts: String { "\(root)/hosts" }
    private var statePath: String { "\(root)/state" }

    init(root: String, faults: @escaping FaultInjector) throws(FileSystemError) {
        self.root = root
        writer = DurableWriter(temporaryDirectory: "\(root)/tmp", faults: faults)
        try DirectoryPath.create("\(root)/hosts")
    }

    /// Links every host to its file. Never replaces an entry by one with a lower activation.
    func apply(_ snapshot: ServedSnapshot, from directory: SnapshotDirectory) throws(SnapshotDirectoryError) {
        do throws(FileSystemError) {
            try apply(snapshot) { directory.relativePath(of: $0) }
        } catch {
            throw .fileSystem(error)
        }
    }

    private func apply(
        _ snapshot: ServedSnapshot, path: (ContentHash) -> String
    ) throws(FileSystemError) {
        let noted = try notedEntries()
        var next: [String: ManifestEntry] = noted
        var withdrawn = noted
        for host in snapshot.unavailable { withdrawn[host] = nil }
        var changes: [ManifestEntry] = []
        snapshot.forEachEntry { entry in
            withdrawn[entry.host] = nil
            if let before = noted[entry.host], before.activation > entry.activation { return }
            next[entry.host] = entry
            if noted[entry.host] != entry || target(of: entry.host) != "../" + path(entry.sha256) {
                changes.append(entry)
            }
        }
        withdrawn = withdrawn.filter { $0.value.activation <= snapshot.manifest.activation }
        guard !changes.isEmpty || !withdrawn.isEmpty else { return }
        try note(next)
        for entry in changes {
            try writer.link(
                "\(hosts)/\(entry.host)", to: "../" + path(entry.sha256), synchronizingDirectory: false)
        }
        for host in withdrawn.keys.sorted() { try writer.remove("\(hosts)/\(host)") }
        try writer.synchronizeDirectory(of: "\(hosts)/.")
        if !withdrawn.isEmpty { try note(next.filter { withdrawn[$0.key] == nil }) }
    }

    /// Reads the entries from `state`. If `state` is damaged or lost, derives them from the links.
    private func notedEntries() throws(FileSystemError) -> [String: ManifestEntry] {
        guard let bytes = try OpenFile.contents(of: statePath, limit: Manifest.largest),
            let list = EntryList(kind: Self.kind, reading: bytes)
        else { return try linkedEntries() }
        return Dictionary(list.entries.map { ($0.host, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// Creates an entry for each link that looks like a link of Waymark. Its activation, size and version are the
    /// lowest possible values, so any entry of a snapshot replaces it.
    private func linkedEntries() throws(FileSystemError) -> [String: ManifestEntry] {
        var entries: [String: ManifestEntry] = [:]
        for host in try DirectoryPath.names(in: hosts) where HostName.isValid(host.utf8) {
            guard let target = target(of: host), target.hasPrefix("../blobs/"), target.hasSuffix(".json"),
                let sha256 = ContentHash(hex: target.dropFirst(9).dropLast(5))
            else { continue }
            entries[host] = ManifestEntry(
                host: host, activation: 1, version: 1, sha256: sha256, size: Blob.sizes.lowerBound)
        }
        return entries
    }

    private func note(_ entries: [String: ManifestEntry]) throws(FileSystemError) {
        let sorted = entries.values.sorted { HostName.precedes($0.host, $1.host) }
        try writer.write(EntryList(kind: Self.kind, entries: sorted).bytes, to: statePath)
    }

    /// The target of a host's link, or `nil` if the host has no link.
    private func target(of host: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 512)
        let length = readlink("\(hosts)/\(host)", &buffer, buffer.count)
        return length < 0 ? nil : String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
