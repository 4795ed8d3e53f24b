internal import Glibc

/// Records since when each blob has been unwanted. A restart loses the record, so unwanted blobs only stay longer.
public struct BlobGarbage: Sendable {
    fileprivate var unwantedSince: [ContentHash: Int64] = [:]

    /// Creates an empty record.
    public init() {}
}

extension SnapshotDirectory {
    /// Removes blobs that have been unwanted for `grace` seconds.
    ///
    /// The grace period protects processes that are about to use a blob. Examples are a web server that has just looked
    /// up its name, and a process that will store a manifest in this directory.
    ///
    /// - Parameters:
    ///   - wanted: The blobs to keep.
    ///   - garbage: The caller's record. Pass the same record in each call.
    ///   - now: The current second of a clock that never goes backwards.
    /// - Returns: The number of removed blobs.
    @discardableResult
    public func collectGarbage(
        keeping wanted: Set<ContentHash>, garbage: inout BlobGarbage, now: Int64, grace: Int64
    ) throws(SnapshotDirectoryError) -> Int {
        var due: [ContentHash] = []
        var unwantedSince: [ContentHash: Int64] = [:]
        for blob in try blobs() where !wanted.contains(blob) {
            let since = garbage.unwantedSince[blob] ?? now
            if now - since >= grace { due.append(blob) } else { unwantedSince[blob] = since }
        }
        garbage.unwantedSince = unwantedSince
        guard !due.isEmpty else { return 0 }
        let old = Int64(time(nil)) - grace
        return try locked { () throws(FileSystemError) in
            var removed = 0
            for blob in due where try modificationTime(of: blob) <= old {
                try writer.remove(path(of: blob))
                removed += 1
            }
            return removed
        }
    }

    /// The time when the blob was last used. Another process may have stored or used it meanwhile.
    private func modificationTime(of blob: ContentHash) throws(FileSystemError) -> Int64 {
        guard layout == .fanned else { return 0 }
        var status = stat()
        guard stat(path(of: blob), &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec)
    }
}
