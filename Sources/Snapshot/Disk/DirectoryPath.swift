internal import Glibc

/// Creates and lists directories.
package enum DirectoryPath {
    /// The path up to the last slash, or `.` if the path has no slash.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates the directory and its missing parents. Returns when the new names are on the disk.
    package static func create(_ path: String) throws(FileSystemError) {
        var isMade = mkdir(path, 0o755) == 0
        if !isMade, errno == ENOENT, parent(of: path) != path {
            try create(parent(of: path))
            isMade = mkdir(path, 0o755) == 0
        }
        if isMade {
            try OpenFile(parent(of: path), flags: O_RDONLY | O_DIRECTORY).synchronize()
        } else if errno == EEXIST {
            _ = try OpenFile(path, flags: O_RDONLY | O_DIRECTORY)
        } else {
            throw .last("mkdir", path)
        }
    }

    /// The names in the directory except `.` and `..`, in no particular order. Empty if the directory does not exist.
    package static func names(in path: String) throws(FileSystemError) -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw .last("opendir", path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
