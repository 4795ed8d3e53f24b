internal import Glibc
internal import Synchronization

extension SnapshotDirectory {
    /// Returns the verified file with this hash, or `nil` if it is missing. A damaged file counts as missing, but stays
    /// until `store` replaces it. Without it, a web server would return 404 for its hosts.
    ///
    /// - Parameters:
    ///   - size: The required number of bytes, or `nil` if only the hash is known.
    ///   - isKnownWhole: True if a file with this hash was found to be whole before. Then only the hash is checked.
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

    /// Stores blobs. An existing whole blob is marked as used now, and in the flat layout it gets a new time. A damaged
    /// blob is replaced in one step.
    ///
    /// When this returns, the names of the files are on the disk.
    public func store(_ blobs: [Blob]) throws(SnapshotDirectoryError) {
        try locked { () throws(FileSystemError) in
            var times = try blobTimes(count: blobs.count)
            var missing: [DurableWriter.NewFile] = []
            for blob in blobs {
                let path = path(of: blob.sha256)
                let parent = DirectoryPath.parent(of: path)
                if layout == .fanned, access(parent, F_OK) != 0 { try DirectoryPath.create(parent) }
                let time = times.next()
                if try reuse(path, as: blob, time: time) { continue }
                missing.append(DurableWriter.NewFile(path: path, bytes: blob.bytes, modificationTime: time))
            }
            newest.record(times.last)
            try writer.write(missing)
        }
    }

    /// The hashes of all blobs, whole or not.
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

    /// Marks the file as used, if it exists and has the blob's bytes. Returns true in this case.
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

    /// Creates times for `count` blobs, later than those of all existing blobs. The first call reads the existing
    /// blobs.
    private func blobTimes(count: Int) throws(FileSystemError) -> BlobTimes {
        guard layout == .flat else { return BlobTimes(isDistinct: false, after: 0, count: count) }
        if let known = newest.time { return BlobTimes(isDistinct: true, after: known, count: count) }
        var found: Int64 = 0
        for name in try DirectoryPath.names(in: "\(path)/blobs") {
            var status = stat()
            if stat("\(path)/blobs/\(name)", &status) == 0 { found = max(found, Int64(status.st_mtim.tv_sec)) }
        }
        return BlobTimes(isDistinct: true, after: found, count: count)
    }
}

/// The latest time of a blob in the flat layout, or `nil` if it is unknown. It stays correct because the directory has
/// only one writer.
final class NewestBlobTime: Sendable {
    private let known = Mutex<Int64?>(nil)

    var time: Int64? { known.withLock { $0 } }

    func record(_ time: Int64) { known.withLock { $0 = max(time, $0 ?? time) } }
}

/// Assigns the times of blobs.
///
/// nginx identifies a file's version by its time in whole seconds and its size. So in the flat layout, no two blobs
/// have the same second. The times increase, so that a server that compares times never treats an older file as newer.
/// If possible, the last blob of a batch has the current time. Otherwise the first one follows the newest existing
/// blob.
private struct BlobTimes {
    private var following: Int64
    private let isDistinct: Bool

    init(isDistinct: Bool, after newest: Int64, count: Int) {
        let now = Int64(time(nil))
        self.isDistinct = isDistinct
        following = isDistinct ? max(newest + 1, now - Int64(count) + 1) : now
    }

    /// The last assigned time. If no time was assigned yet, it is the newest time of the existing blobs or later.
    var last: Int64 { isDistinct ? following - 1 : following }

    mutating func next() -> Int64 {
        defer { if isDistinct { following += 1 } }
        return following
    }
}
