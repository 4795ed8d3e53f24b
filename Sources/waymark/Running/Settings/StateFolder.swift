import Glibc
import Snapshot

/// The folder of the private database, the keys and the edge's last known good. Other users may pass through it, to the
/// database's folder and to the public keys, and list nothing; the edge's part is for its own user alone.
enum StateFolder {
    /// Makes the folders where they are missing, and takes from others what they had of them; not from a folder that
    /// belongs to another user.
    static func prepare(_ settings: Settings) throws {
        try close(settings.stateDirectory, 0o711)
        try close(settings.edgeFolder, 0o700)
    }

    private static func close(_ path: String, _ mode: mode_t) throws {
        do {
            try DirectoryPath.create(path)
        } catch {
            throw Settings.Invalid(
                name: "WAYMARK_STATE_DIRECTORY", reason: "needs the folder \(path), which cannot be made: \(error)")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o777 & ~mode != 0 else { return }
        guard chmod(path, status.st_mode & mode) == 0 else { throw FileSystemError.last("chmod", path) }
    }
}

extension Settings {
    /// Where the edge keeps its last known good.
    var edgeFolder: String { stateDirectory + "/edge" }

    /// Names the process of the edge that accepts; every edge of the folder holds it open.
    var edgeProcessFile: String { edgeFolder + "/pid" }
}
