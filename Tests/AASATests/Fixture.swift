import Foundation

/// The files that tests read, by their paths in this folder.
enum Fixture {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    /// The non-empty lines of a file. Empty if the file cannot be read.
    static func lines(_ path: String) -> [String] {
        let text = (try? bytes(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}

extension String {
    /// The fenced blocks of a language in a Markdown text.
    func components(fencedAs language: String) -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        for line in split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = lines {
                if line.hasPrefix("```") {
                    blocks.append(open.joined(separator: "\n"))
                    lines = nil
                } else {
                    lines = open + [line]
                }
            } else if line == "```\(language)" {
                lines = []
            }
        }
        return blocks
    }
}
