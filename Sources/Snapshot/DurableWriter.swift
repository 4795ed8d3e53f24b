internal import Glibc
internal import Synchronization

/// Writes files so that a reader, or a start after a crash at any moment, finds the old one or the new one, whole.
///
/// The steps, each of which matters: a temporary file **on the same file system**, the bytes, `fsync`, `rename`, `fsync`
/// of the directory. Without the first `fsync` a crash can leave an empty file under the right name; without the last
/// the name can be lost although a later file, which depends on it, is there.
package struct DurableWriter: Sendable {
    private static let serial = Atomic<UInt64>(0)

    /// Where temporary files are made.
    let temporaryDirectory: String
    let faults: FaultInjector

    package init(temporaryDirectory: String, faults: @escaping FaultInjector) {
        self.temporaryDirectory = temporaryDirectory
        self.faults = faults
    }

    /// Puts the bytes under `path`, replacing what is there.
    ///
    /// - Parameters:
    ///   - modificationTime: in seconds since 1970; nil for now.
    ///   - synchronizingDirectory: false where the caller writes many files into one directory and calls
    ///     `synchronizeDirectory` once after the last.
    package func write(
        _ bytes: [UInt8], to path: String, modificationTime: Int64? = nil, synchronizingDirectory: Bool = true
    ) throws(FileSystemError) {
        try faults(.beforeWriting, path)
        try replacing(path) { (temporary) throws(FileSystemError) in
            let file = try OpenFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try faults(.temporaryCreated, path)
            try file.writeAll(bytes)
            try faults(.temporaryWritten, path)
            if let modificationTime { try file.setModificationTime(modificationTime) }
            try file.synchronize()
            try faults(.temporarySynchronized, path)
        }
        if synchronizingDirectory { try synchronizeDirectory(of: path) }
    }

    /// Makes `path` a symbolic link to `target`, replacing what is there in one step.
    package func link(
        _ path: String, to target: String, synchronizingDirectory: Bool = true
    ) throws(FileSystemError) {
        try faults(.beforeWriting, path)
        try replacing(path) { (temporary) throws(FileSystemError) in
            guard symlink(target, temporary) == 0 else { throw .last("symlink", temporary) }
            try faults(.temporaryCreated, path)
        }
        if synchronizingDirectory { try synchronizeDirectory(of: path) }
    }

    /// Removes what stands under `path`; nothing there is fine.
    package func remove(_ path: String) throws(FileSystemError) {
        try faults(.beforeRemoving, path)
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path) }
        try faults(.removed, path)
    }

    /// Waits until the names in the directory that holds `path` are on the disk.
    package func synchronizeDirectory(of path: String) throws(FileSystemError) {
        let parent = DirectoryPath.parent(of: path)
        try OpenFile(parent, flags: O_RDONLY | O_DIRECTORY).synchronize()
        try faults(.directorySynchronized, path)
    }

    /// Removes what a killed run left. Only under the lock of whoever else writes here.
    package func removeLitter() throws(FileSystemError) {
        for name in try DirectoryPath.names(in: temporaryDirectory) {
            let path = "\(temporaryDirectory)/\(name)"
            guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path) }
        }
    }

    private func replacing(
        _ path: String, with make: (String) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let number = Self.serial.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = "\(temporaryDirectory)/\(getpid())-\(number)"
        do throws(FileSystemError) {
            try make(temporary)
            guard rename(temporary, path) == 0 else { throw .last("rename", path) }
        } catch {
            _ = unlink(temporary)
            throw error
        }
        try faults(.renamed, path)
    }
}
