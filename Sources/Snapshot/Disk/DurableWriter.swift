internal import Glibc
internal import Synchronization

/// Writes files in a crash-safe way. Readers always find either the complete old file or the complete new file, even
/// after a crash.
///
/// Each step is necessary: a temporary file **on the same file system**, the bytes, `fsync`, `rename`, `fsync` of the
/// directory. Without the first `fsync`, a crash can leave an empty file under the final name. Without the last one,
/// the name can be lost although a later file that depends on it exists.
package struct DurableWriter: Sendable {
    private static let serial = Atomic<UInt64>(0)

    /// The directory for temporary files.
    let temporaryDirectory: String
    let faults: FaultInjector

    package init(temporaryDirectory: String, faults: @escaping FaultInjector) {
        self.temporaryDirectory = temporaryDirectory
        self.faults = faults
    }

    /// A file to write.
    struct NewFile {
        let path: String
        let bytes: [UInt8]
        /// The modification time in seconds since 1970, or `nil` for now.
        var modificationTime: Int64?
    }

    /// Writes the bytes to `path`. Replaces an existing file.
    package func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
        try write([NewFile(path: path, bytes: bytes)])
    }

    /// The number of files from which the writer synchronizes the whole file system twice, instead of each file and
    /// directory. For 500 files, this takes a tenth of the time, but it also waits for the writes of other processes.
    static let manyFiles = 32

    /// Writes each file to its path, and replaces existing files. It completes each step for all files before the next
    /// step.
    func write(_ files: [NewFile]) throws(FileSystemError) {
        let areMany = files.count >= Self.manyFiles
        var temporaries: [String] = []
        do throws(FileSystemError) {
            for file in files {
                let temporary = newTemporaryPath()
                temporaries.append(temporary)
                try write(file, to: temporary, synchronizing: !areMany)
            }
            if areMany { try OpenFile(temporaryDirectory, flags: O_RDONLY | O_DIRECTORY).synchronizeFileSystem() }
            for file in files { try faults(.temporarySynchronized, file.path) }
            for (file, temporary) in zip(files, temporaries) {
                guard rename(temporary, file.path) == 0 else { throw .last("rename", file.path) }
                try faults(.renamed, file.path)
            }
        } catch {
            for temporary in temporaries { _ = unlink(temporary) }
            throw error
        }
        var last: [String: String] = [:]
        for file in files { last[DirectoryPath.parent(of: file.path)] = file.path }
        if areMany {
            try OpenFile(temporaryDirectory, flags: O_RDONLY | O_DIRECTORY).synchronizeFileSystem()
            for path in last.values { try faults(.directorySynchronized, path) }
        } else {
            for path in last.values { try synchronizeDirectory(of: path) }
        }
    }

    /// Makes `path` a symbolic link to `target`. Replaces an existing file in one step.
    package func link(
        _ path: String, to target: String, synchronizingDirectory: Bool = true
    ) throws(FileSystemError) {
        let temporary = newTemporaryPath()
        do throws(FileSystemError) {
            try faults(.beforeWriting, path)
            guard symlink(target, temporary) == 0 else { throw .last("symlink", temporary) }
            try faults(.temporaryCreated, path)
            guard rename(temporary, path) == 0 else { throw .last("rename", path) }
        } catch {
            _ = unlink(temporary)
            throw error
        }
        try faults(.renamed, path)
        if synchronizingDirectory { try synchronizeDirectory(of: path) }
    }

    /// Removes the file at `path`, if it exists.
    package func remove(_ path: String) throws(FileSystemError) {
        try faults(.beforeRemoving, path)
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path) }
        try faults(.removed, path)
    }

    /// Waits until the names in the directory of `path` are on the disk.
    package func synchronizeDirectory(of path: String) throws(FileSystemError) {
        let parent = DirectoryPath.parent(of: path)
        try OpenFile(parent, flags: O_RDONLY | O_DIRECTORY).synchronize()
        try faults(.directorySynchronized, path)
    }

    /// Removes temporary files that killed processes left. Call it only while you hold the lock that all writers of
    /// this directory use.
    package func removeLitter() throws(FileSystemError) {
        for name in try DirectoryPath.names(in: temporaryDirectory) {
            let path = "\(temporaryDirectory)/\(name)"
            guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path) }
        }
    }

    private func write(
        _ file: NewFile, to temporary: String, synchronizing: Bool
    ) throws(FileSystemError) {
        try faults(.beforeWriting, file.path)
        let opened = try OpenFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        try faults(.temporaryCreated, file.path)
        try opened.writeAll(file.bytes)
        try faults(.temporaryWritten, file.path)
        if let time = file.modificationTime { try opened.setModificationTime(time) }
        if synchronizing { try opened.synchronize() }
    }

    private func newTemporaryPath() -> String {
        let number = Self.serial.wrappingAdd(1, ordering: .relaxed).newValue
        return "\(temporaryDirectory)/\(getpid())-\(number)"
    }
}
