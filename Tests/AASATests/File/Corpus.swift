import AASA
import Foundation
import Testing

/// Real files from the web. They are not in the repository, but next to it, at `../shared/aasa/corpus`. Tests that need
/// them are skipped with a message if the folder does not exist.
enum Corpus {
    struct File {
        let name: String
        let bytes: [UInt8]
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/aasa/corpus")

    static let condition: ConditionTrait = .enabled(
        if: FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)),
        "skipped: the corpus of real files is not beside this package")

    static func files() throws -> [File] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "aasa" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { File(name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
    }

    /// The files that are JSON objects, by name. `CorpusTests` checks how many there are, and what the others are.
    static func associations() throws -> [(name: String, association: Association)] {
        try files().compactMap { file in
            (try? Association(parsing: file.bytes)).map { (file.name, $0) }
        }
    }
}
