import Foundation

/// Files that tests read, relative to this folder.
enum Fixture {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// The lines of a file that are not empty; none if it cannot be read.
    static func lines(_ path: String) -> [String] {
        let text = (try? bytes(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
