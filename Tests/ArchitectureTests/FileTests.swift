import Foundation
import Testing

@Suite("Files")
struct FileTests {
    /// A crash of the server would end the requests of all tenants.
    @Test(
        "the sources have no call that traps on input, and no unfinished work",
        arguments: ["try!", "fatalError(", "as!", "preconditionFailure(", "TODO", "FIXME"])
    func forbidden(word: String) throws {
        for file in try SourceTree.swiftFiles(under: "Sources") {
            let places = file.lines.enumerated().filter { isSeparateWord(word, in: $0.element) }
            #expect(places.isEmpty, "\(file): lines \(places.map { $0.offset + 1 })")
        }
    }

    @Test("a file has at most 400 lines", arguments: ["Sources", "Tests"])
    func length(folder: String) throws {
        for file in try SourceTree.swiftFiles(under: folder) {
            #expect(file.lines.count <= 401, "\(file) has \(file.lines.count - 1)")
        }
    }

    @Test("no file or folder has a vague name")
    func names() throws {
        let vague: Set = ["Core", "Utils", "Util", "Helpers", "Helper", "Common", "Manager", "Misc"]
        for path in try SourceTree.paths(under: "Sources") + SourceTree.paths(under: "Tests") {
            for part in path.split(separator: "/").compactMap({ $0.split(separator: ".").first }) {
                #expect(!vague.contains(String(part)), "\(path)")
            }
        }
    }

    @Test("every finding has a page, and every page has a finding")
    func findings() throws {
        let source = try SourceTree.file("Sources/AASA/Lint/Finding.swift").lines.joined(separator: "\n")
        let codes = Set(source.matches(of: /case \w+ = "(WM\d{3})"/).map { String($0.1) })
        #expect(codes.count >= 20)
        let pages = try SourceTree.paths(under: "docs/findings").filter {
            $0.hasSuffix(".md") && !$0.hasSuffix("README.md")
        }
        #expect(Set(pages) == Set(codes.map { "docs/findings/\($0.prefix(4))x/\($0).md" }))
        for page in pages {
            let first = try SourceTree.file(page).lines.first ?? ""
            #expect(first.hasPrefix("# \(page.suffix(8).dropLast(3)): "), "\(page) begins with \(first)")
        }
    }

    private func isSeparateWord(_ word: String, in line: String) -> Bool {
        guard let range = line.range(of: word) else { return false }
        let before = line[..<range.lowerBound].last
        return before.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}
