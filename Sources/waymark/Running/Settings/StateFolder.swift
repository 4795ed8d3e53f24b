import Glibc
import Snapshot

/// The folder of the private database, the keys and the edge's last snapshot. Other users can pass through it to the
/// database's folder and the public keys, but cannot list it. Only the edge's user can access the edge's folder.
enum StateFolder {
    /// Creates missing folders and restricts the rights of other users. Does not change folders that belong to another
    /// user.
    static func prepare(_ settings: Settings) throws {
        try close(settings.stateDirectory, 0o711)
        try close(settings.edgeFolder, 0o700)
    }

    private static func close(_ path: String, _ mode: mode_t) throws {
        do {
            try DirectoryPath.create(path)
        } catch {
            throw Settings.Invalid(
                name: "WAYMARK_STATE_DIRECTORY",
                reason: "requires the folder \(path), which cannot be created: \(error)")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o777 & ~mode != 0 else { return }
        guard chmod(path, status.st_mode & mode) == 0 else { throw FileSystemError.last("chmod", path) }
    }
}

extension Settings {
    /// The folder of the edge's last snapshot.
    var edgeFolder: String { stateDirectory + "/edge" }

    /// The file that names the process of the accepting edge. Every edge of the folder has it open.
    var edgeProcessFile: String { edgeFolder + "/pid" }
}
