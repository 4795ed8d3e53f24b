import AASA
import FoundationEssentials
import StrictJSON

/// The association files that a path on the command line stands for.
enum LintFiles {
    /// Directories deeper than this are not searched, so that a link to a parent ends.
    private static let depth = 32

    /// The file itself or `-`; of a directory, all association files below it, in the order of their names.
    static func files(under path: String) throws -> [String] {
        guard path != "-", isDirectory(path) else { return [path] }
        return try search(path, depth: depth)
    }

    private static func search(_ folder: String, depth: Int) throws -> [String] {
        guard depth > 0 else { return [] }
        var result: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name != ".git" {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if isDirectory(path) {
                result += try search(path, depth: depth - 1)
            } else if isAssociationFile(name, path) {
                result.append(path)
            }
        }
        return result
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
    }

    private static func isAssociationFile(_ name: String, _ path: String) -> Bool {
        if name == "apple-app-site-association" || name == "apple-app-site-association.json" { return true }
        guard name.hasSuffix(".aasa") || name.hasSuffix(".json"), let bytes = try? InputFile.read(path),
            let association = try? Association(parsing: bytes)
        else { return false }
        return ["applinks", "webcredentials", "appclips", "activitycontinuation"].contains {
            association.root[$0] != nil
        }
    }
}
