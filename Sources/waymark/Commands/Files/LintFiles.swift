import AASA
import Glibc
import Snapshot
import StrictJSON

/// The association files that a path on the command line stands for.
enum LintFiles {
    private static let wellKnownNames = ["apple-app-site-association", "apple-app-site-association.json"]

    /// What is named, whatever it is, or `-`; of a directory, all association files below it, in the order of their
    /// names.
    ///
    /// Below a directory regular files alone are read, and no link is followed, so that neither a pipe nor a loop keeps
    /// the search going, no file is found twice and none outside.
    ///
    /// - Throws: ``Refusal`` for what cannot be read.
    static func files(under path: String) throws -> [String] {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, isKind(status, S_IFDIR) else { return [path] }
        return try search(path)
    }

    /// It ends because nothing has a longer path than the system's limit; beyond that a directory cannot be read.
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

    /// Whether its name says so, or it is JSON with a service, spelled well or nearly so. Of broken JSON the text tells,
    /// since a file that is broken needs lint most.
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
