import Glibc
import Snapshot

/// Replaces the bytes of an existing file in one step, so that readers never see a partial file. The file keeps its
/// permissions and its owner. Symbolic links to it stay valid. Other hard links to it keep the old bytes.
struct FileReplacement {
    /// The path with all symbolic links resolved.
    private let path: String
    private let status: stat

    /// Finds the file.
    ///
    /// - Throws: ``Refusal`` if the path, with its links resolved, is not a regular file.
    init(_ path: String) throws {
        var status = stat()
        guard let resolved = realpath(path, nil) else {
            throw Refusal("\(path) cannot be rewritten: \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Refusal("\(path) cannot be rewritten: it is not a regular file")
        }
        self.path = String(cString: resolved)
        self.status = status
    }

    /// Replaces the file's bytes. Returns when they are on the disk.
    func write(_ bytes: [UInt8]) throws(FileSystemError) {
        let folder = DirectoryPath.parent(of: path)
        let temporary = "\(folder)/.waymark-\(getpid())"
        do throws(FileSystemError) {
            try writeFile(temporary, bytes)
            guard rename(temporary, path) == 0 else { throw .last("rename", path) }
        } catch {
            _ = unlink(temporary)
            throw error
        }
        try OpenFile(folder, flags: O_RDONLY | O_DIRECTORY).synchronize()
    }

    /// Creates the temporary file. Sets the owner before the permissions, so that no other user can read the file
    /// meanwhile.
    private func writeFile(_ temporary: String, _ bytes: [UInt8]) throws(FileSystemError) {
        let file = try OpenFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.writeAll(bytes)
        let made = try file.status()
        if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid) {
            guard fchown(file.descriptor, status.st_uid, status.st_gid) == 0 else { throw .last("fchown", path) }
        }
        guard fchmod(file.descriptor, status.st_mode & 0o7777) == 0 else { throw .last("fchmod", path) }
        try file.synchronize()
    }
}
