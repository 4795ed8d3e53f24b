internal import Glibc
internal import Synchronization

extension SigningKey {
    /// The maximum size of a key file in bytes.
    private static let longestFile = 4096
    private static let serial = Atomic<UInt64>(0)

    /// Reads the key in the first line of a file. If the file is missing, creates it with a new key.
    ///
    /// If two processes start at the same time, both get the same key: the first one creates the file in one step, and
    /// the other reads it. The file has the mode 0600. A file that all users can read is rejected. The group may read
    /// it, because container platforms provide secrets in this way.
    ///
    /// - Parameter path: The key file. Its directory must exist.
    public init(loadingOrCreatingAt path: String) throws(KeyError) {
        if let stored = try Self.stored(at: path)?.first {
            self = stored
            return
        }
        let made = try SigningKey()
        do throws(FileSystemError) {
            try made.create(at: path)
        } catch {
            throw .fileSystem(error)
        }
        // Read the existing file, because another process may have created it first.
        try self.init(contentsOf: path)
    }

    /// Reads the key in the first line of an existing file.
    public init(contentsOf path: String) throws(KeyError) {
        guard let first = try Self.all(contentsOf: path).first else { throw .malformed }
        self = first
    }

    /// Reads the keys in an existing file, one per line, at least one. The first key signs. The others are only
    /// trusted, which a key rotation needs.
    public static func all(contentsOf path: String) throws(KeyError) -> [SigningKey] {
        guard let stored = try stored(at: path) else {
            throw .fileSystem(FileSystemError(operation: "open", path: path, code: ENOENT))
        }
        return stored
    }

    private static func stored(at path: String) throws(KeyError) -> [SigningKey]? {
        let found: (text: [UInt8], mode: mode_t)?
        do throws(FileSystemError) {
            found = try read(path)
        } catch {
            throw .fileSystem(error)
        }
        guard let found else { return nil }
        guard found.mode & 0o007 == 0 else { throw .readableByOthers(path: path) }
        var keys: [SigningKey] = []
        for line in found.text.split(separator: UInt8(ascii: "\n")) {
            keys.append(try SigningKey(base64: String(decoding: line, as: UTF8.self)))
        }
        guard !keys.isEmpty else { throw .malformed }
        return keys
    }

    private static func read(_ path: String) throws(FileSystemError) -> (text: [UInt8], mode: mode_t)? {
        guard access(path, F_OK) == 0 else {
            if errno == ENOENT { return nil }
            throw .last("access", path)
        }
        let file = try OpenFile(path, flags: O_RDONLY)
        return (try file.readAll(limit: longestFile), try file.status().st_mode)
    }

    /// Creates the file at `path` in one step. Does nothing if it exists.
    private func create(at path: String) throws(FileSystemError) {
        // The name is unique for each call, because other threads and processes can run the same code.
        let serial = Self.serial.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = "\(path).\(getpid())-\(serial).new"
        _ = unlink(temporary)
        defer { _ = unlink(temporary) }
        let file = try OpenFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.writeAll(Array((base64 + "\n").utf8))
        try file.synchronize()
        guard Glibc.link(temporary, path) == 0 || errno == EEXIST else { throw .last("link", path) }
        try OpenFile(DirectoryPath.parent(of: path), flags: O_RDONLY | O_DIRECTORY).synchronize()
    }
}
