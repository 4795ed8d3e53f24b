import AASA
import Glibc
import Snapshot
import StrictJSON

/// The association files for a path on the command line.
enum LintFiles {
    private static let wellKnownNames = ["apple-app-site-association", "apple-app-site-association.json"]

    /// Returns the path, if it is a file or `-`. For a directory, returns all association files in it and its
    /// subdirectories, sorted by name.
    ///
    /// In a directory, only regular files are read, and links are not followed. So the search does not wait for a pipe,
    /// cannot loop, finds each file once, and stays inside the directory.
    ///
    /// - Throws: ``Refusal`` for a file or directory that cannot be read.
    static func files(under path: String) throws -> [String] {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, isKind(status, S_IFDIR) else { return [path] }
        return try search(path)
    }

    /// The recursion ends, because the system limits the length of paths. A directory beyond the limit cannot be read.
    private static func search(_ folder: String) throws -> [String] {
        try names(in: folder).flatMap { name -> [String] in
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { throw Refusal("\(FileSystemError.last("lstat", path))") }
            if isKind(status, S_IFDIR) { return name == ".git" ? [] : try search(path) }
            guard isKind(status, S_IFREG) else { return [] }
            return try isAssociationFile(name, path, size: Int(status.st_size)) ? [path] : []
        }
    }

    private static func names(in folder: String) throws -> [String] {
        do {
            return try DirectoryPath.names(in: folder).sorted()
        } catch {
            throw Refusal("\(folder) cannot be read: \(error)")
        }
    }

    private static func isKind(_ status: stat, _ kind: mode_t) -> Bool { status.st_mode & S_IFMT == kind }

    /// Returns true if the file has the name of an association file, or contains JSON with a service, even a slightly
    /// misspelled one. Malformed JSON is searched as text, because such files need lint most.
    private static func isAssociationFile(_ name: String, _ path: String, size: Int) throws -> Bool {
        if wellKnownNames.contains(name) || name.hasSuffix(".aasa") { return true }
        guard name.hasSuffix(".json"), size <= InputFile.limit else { return false }
        let bytes = try InputFile.read(path)
        do {
            return try Association(parsing: bytes).root.members.contains { member in
                Association.services.contains(member.name)
                    || NearestName.of(member.name, among: Association.services) != nil
            }
        } catch .rootIsNotAnObject {
            return false
        } catch {
            return Association.services.contains { bytes.contains(Array("\"\($0)\"".utf8)) }
        }
    }
}
