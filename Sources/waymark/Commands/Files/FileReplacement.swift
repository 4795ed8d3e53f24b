import Glibc
import Snapshot

/// Other bytes for a file that is there, at once, so that nobody reads half of them. It keeps its permissions and its
/// owner, and symbolic links that lead to it stay links; another hard link to it keeps the old bytes.
struct FileReplacement {
    /// Without links.
    private let path: String
    private let status: stat

    /// Finds the file.
    ///
    /// - Throws: ``Refusal`` if what is under the path, or what its links lead to, is no regular file.
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

    /// Puts the bytes in the file's place and waits until they are on the disk.
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

    /// Nobody else may read it before it belongs to whom it should: that comes before the permissions.
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
