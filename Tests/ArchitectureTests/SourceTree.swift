import Foundation

/// The project's source files on the disk.
enum SourceTree {
    /// A file of the project.
    struct File: CustomStringConvertible, Sendable {
        /// The path, relative to the project's root.
        let path: String
        let lines: [String]

        /// The target: the name of the folder in `Sources`.
        var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
        var description: String { path }

        /// The lines that contain something outside of comments, each as `path:number: text`.
        func places(where contains: (String) -> Bool) -> [String] {
            lines.enumerated().compactMap { number, line in
                guard contains(line) else { return nil }
                let code = withoutComment(line)
                return contains(code) ? "\(path):\(number + 1): \(code.trimmingCharacters(in: .whitespaces))" : nil
            }
        }

        private func withoutComment(_ line: String) -> String {
            let trimmed = line.drop { $0 == " " }
            guard !trimmed.hasPrefix("//") else { return "" }
            guard let comment = line.range(of: " // ") else { return line }
            return String(line[..<comment.lowerBound])
        }
    }

    /// The project's root.
    static let root: URL = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources").resolvingSymlinksInPath().deletingLastPathComponent()

    private static let all = Result { try (paths(under: "Sources") + paths(under: "Tests")).filter(isSwift).map(file) }

    /// The Swift files in a folder of `Sources` or `Tests`, sorted by path.
    static func swiftFiles(under folder: String) throws -> [File] {
        try all.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    private static func isSwift(_ path: String) -> Bool { path.hasSuffix(".swift") }

    /// The paths of all files and folders in a folder, sorted and relative to the project's root.
    static func paths(under folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path(percentEncoded: false))
            .map { folder + "/" + $0 }.sorted()
    }

    static func file(_ path: String) throws -> File {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return File(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
}
