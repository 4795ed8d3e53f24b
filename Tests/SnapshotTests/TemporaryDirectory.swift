import Glibc

/// A directory for one test, removed at its end.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/waymark-snapshot-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    struct Failure: Error { let code: Int32 }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            closedir(stream)
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}

/// The paths of all files below a directory, relative to it, sorted.
func files(below root: String, at relative: String = "") -> [String] {
    guard let stream = opendir("\(root)/\(relative)") else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != "." && name != ".." else { continue }
        let path = relative.isEmpty ? name : "\(relative)/\(name)"
        if entry.pointee.d_type == UInt8(DT_DIR) {
            found += files(below: root, at: path)
        } else {
            found.append(path)
        }
    }
    return found.sorted()
}

/// Overwrites or creates a file.
func put(_ bytes: [UInt8], at path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// A file's bytes; nil if there is no file.
func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let character = fgetc(file), character != EOF { bytes.append(UInt8(truncatingIfNeeded: character)) }
    return bytes
}
