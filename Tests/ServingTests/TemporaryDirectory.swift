import Glibc

@testable import Snapshot

/// A directory for one test, removed at its end.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/waymark-serving-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    struct Failure: Error { let code: Int32 }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in (try? DirectoryPath.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}

/// The paths of all files and links below a directory, relative to it, sorted.
func files(below root: String) -> [String] {
    let names = (try? DirectoryPath.names(in: root)) ?? []
    return names.flatMap { name in
        isDirectory("\(root)/\(name)") ? files(below: "\(root)/\(name)").map { "\(name)/\($0)" } : [name]
    }
    .sorted()
}

/// Overwrites or creates a file.
func put(_ bytes: [UInt8], at path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// A file's bytes; nil if there is no file.
func contents(of path: String) -> [UInt8]? {
    (try? OpenFile.contents(of: path, limit: 1 << 20)) ?? nil
}

/// Copies files and links in their current state.
func copyDirectory(_ source: String, to target: String) {
    mkdir(target, 0o755)
    for name in (try? DirectoryPath.names(in: source)) ?? [] {
        let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
        var link = [CChar](repeating: 0, count: 512)
        if readlink(from, &link, 511) > 0 {
            symlink(link, to)
        } else if isDirectory(from) {
            copyDirectory(from, to: to)
        } else if let bytes = contents(of: from) {
            put(bytes, at: to)
        }
    }
}

private func isDirectory(_ path: String) -> Bool {
    var link: CChar = 0
    guard readlink(path, &link, 1) < 0, let stream = opendir(path) else { return false }
    closedir(stream)
    return true
}
