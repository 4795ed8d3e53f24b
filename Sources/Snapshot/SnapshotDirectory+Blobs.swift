internal import Glibc

extension SnapshotDirectory {
    /// The file with this hash, verified; nil where it is missing. A damaged one counts as missing and stays until `store`
    /// replaces it: a web server may be reading from here, and would answer 404 for its hosts meanwhile.
    ///
    /// - Parameters:
    ///   - size: how many bytes it must have; nil where only the hash is known.
    ///   - isKnownWhole: a file with this hash has been found whole before, so the hash says all.
    public func blob(
        _ sha256: ContentHash, size: Int? = nil, isKnownWhole: Bool = false
    ) throws(SnapshotDirectoryError) -> Blob? {
        let bytes: [UInt8]?
        do throws(FileSystemError) {
            bytes = try OpenFile.contents(of: path(of: sha256), limit: Blob.largest)
        } catch {
            guard error.code == EFBIG else { throw .fileSystem(error) }
            bytes = []
        }
        guard let bytes else { return nil }
        return try? Blob(bytes, sha256: sha256, size: size, isKnownWhole: isKnownWhole)
    }

    /// Stores blobs; those that are there already, whole, are marked as used now, and get a new time in the flat layout.
    /// A damaged one is replaced in one step.
    ///
    /// The names are on the disk when this returns.
    public func store(_ blobs: [Blob]) throws(SnapshotDirectoryError) {
        try locked { () throws(FileSystemError) in
            var times = BlobTimes(layout: layout, newest: try newestTime(), count: blobs.count)
            var last: [String: String] = [:]
            for blob in blobs {
                let path = path(of: blob.sha256)
                let parent = DirectoryPath.parent(of: path)
                if layout == .fanned, access(parent, F_OK) != 0 { try DirectoryPath.create(parent) }
                let time = times.next()
                if try reuse(path, as: blob, time: time) { continue }
                try writer.write(blob.bytes, to: path, modificationTime: time, synchronizingDirectory: false)
                last[parent] = path
            }
            for path in last.values { try writer.synchronizeDirectory(of: path) }
        }
    }

    /// Every blob's hash, whether it is whole or not.
    public func blobs() throws(SnapshotDirectoryError) -> [ContentHash] {
        try translating { () throws(FileSystemError) in
            var hashes: [ContentHash] = []
            for name in try DirectoryPath.names(in: "\(path)/blobs") {
                switch layout {
                case .flat:
                    if let hash = ContentHash(hex: name.prefix(64)) { hashes.append(hash) }
                case .fanned:
                    hashes += try DirectoryPath.names(in: "\(path)/blobs/\(name)").compactMap { ContentHash(hex: $0) }
                }
            }
            return hashes
        }
    }

    /// Whether the file is there and holds the blob's bytes.
    private func reuse(_ path: String, as blob: Blob, time: Int64) throws(FileSystemError) -> Bool {
        let file: OpenFile
        do throws(FileSystemError) {
            file = try OpenFile(path, flags: O_RDONLY)
        } catch {
            if error.code == ENOENT { return false }
            throw error
        }
        guard Int(try file.status().st_size) == blob.bytes.count,
            try file.readAll(limit: Blob.largest) == blob.bytes
        else { return false }
        try file.setModificationTime(time)
        return true
    }

    private func newestTime() throws(FileSystemError) -> Int64 {
        guard layout == .flat else { return 0 }
        var newest: Int64 = 0
        for name in try DirectoryPath.names(in: "\(path)/blobs") {
            var status = stat()
            if stat("\(path)/blobs/\(name)", &status) == 0 { newest = max(newest, Int64(status.st_mtim.tv_sec)) }
        }
        return newest
    }
}

/// Hands out the times of blobs.
///
/// nginx's validator of a file is its time in whole seconds and its size, so in the flat layout no two blobs get the
/// same second. They rise, so that a server that compares times instead never takes an older file for the newer one.
/// A batch is laid before the present where there is room, and after the newest otherwise.
private struct BlobTimes {
    private var following: Int64
    private let isDistinct: Bool

    init(layout: SnapshotDirectory.BlobLayout, newest: Int64, count: Int) {
        let now = Int64(time(nil))
        isDistinct = layout == .flat
        following = isDistinct ? max(newest + 1, now - Int64(count) + 1) : now
    }

    mutating func next() -> Int64 {
        defer { if isDistinct { following += 1 } }
        return following
    }
}
