internal import Glibc

/// Remembers since when each blob has been wanted by nobody. Lost at a restart, which only makes blobs live longer.
public struct BlobGarbage: Sendable {
    fileprivate var unwantedSince: [ContentHash: Int64] = [:]

    /// Nothing is unwanted yet.
    public init() {}
}

extension SnapshotDirectory {
    /// Removes blobs that nobody has wanted for `grace` seconds.
    ///
    /// The grace is for readers that found a name just before: a web server with open files, another process on this
    /// directory that is about to store a manifest.
    ///
    /// - Parameters:
    ///   - wanted: what must stay.
    ///   - garbage: kept by the caller from call to call.
    ///   - now: seconds on a clock that does not go back.
    /// - Returns: how many were removed.
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

    /// A blob that another process has stored or reused meanwhile is young again.
    private func modificationTime(of blob: ContentHash) throws(FileSystemError) -> Int64 {
        guard layout == .fanned else { return 0 }
        var status = stat()
        guard stat(path(of: blob), &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec)
    }
}
