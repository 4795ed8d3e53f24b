internal import CLinux
package import Glibc

/// A file descriptor that is closed automatically.
package struct OpenFile: ~Copyable {
    /// The descriptor. It is valid as long as this value exists.
    package let descriptor: Int32
    /// The path, for error messages.
    package let path: String

    /// Opens `path`. Child processes do not inherit the descriptor.
    package init(_ path: String, flags: Int32, mode: mode_t = 0o644) throws(FileSystemError) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        guard opened >= 0 else { throw .last("open", path) }
        descriptor = opened
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// Returns all bytes of the file, or `nil` if it does not exist.
    ///
    /// - Parameter limit: The maximum size in bytes. A larger file throws `EFBIG`, so that it cannot use up the memory.
    package static func contents(of path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
        let file: OpenFile
        do throws(FileSystemError) {
            file = try OpenFile(path, flags: O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return try file.readAll(limit: limit)
    }

    /// The first bytes of the file, at most `count`, or `nil` if it does not exist.
    package static func beginning(of path: String, count: Int) throws(FileSystemError) -> [UInt8]? {
        let file: OpenFile
        do throws(FileSystemError) {
            file = try OpenFile(path, flags: O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = pread(file.descriptor, &bytes, count, 0)
        guard found >= 0 else { throw .last("read", path) }
        return Array(bytes[..<found])
    }

    /// The file's status.
    package func status() throws(FileSystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat", path) }
        return status
    }

    /// All bytes from the current position to the end, at most `limit` bytes.
    package func readAll(limit: Int) throws(FileSystemError) -> [UInt8] {
        let expected = Int(try status().st_size)
        guard expected <= limit else { throw FileSystemError(operation: "read", path: path, code: EFBIG) }
        var failure: FileSystemError?
        var bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, filled in
            while filled < expected {
                let count = read(descriptor, buffer.baseAddress?.advanced(by: filled), expected - filled)
                if count > 0 {
                    filled += count
                } else if count == 0 || errno != EINTR {
                    if count < 0 { failure = .last("read", path) }
                    return
                }
            }
        }
        if let failure { throw failure }
        // A file in /proc, or one that is growing, can be larger than its reported size. So try to read more.
        var one: UInt8 = 0
        while bytes.count <= limit, read(descriptor, &one, 1) == 1 { bytes.append(one) }
        guard bytes.count <= limit else { throw FileSystemError(operation: "read", path: path, code: EFBIG) }
        return bytes
    }

    /// Writes all of the bytes.
    package func writeAll(_ bytes: [UInt8]) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count >= 0 {
                    written += count
                } else if errno != EINTR {
                    failure = .last("write", path)
                    return
                }
            }
        }
        if let failure { throw failure }
    }

    /// Waits until the bytes are on the disk.
    package func synchronize() throws(FileSystemError) {
        guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
    }

    /// Waits until all data of the file system is on the disk. Since Linux 5.8, this reports all write errors.
    package func synchronizeFileSystem() throws(FileSystemError) {
        guard syncfs(descriptor) == 0 else { throw .last("syncfs", path) }
    }

    /// Sets the times of modification and access, in whole seconds since 1970.
    package func setModificationTime(_ seconds: Int64) throws(FileSystemError) {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        guard futimens(descriptor, [time, time]) == 0 else { throw .last("futimens", path) }
    }
}
