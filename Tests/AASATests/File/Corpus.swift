import AASA
import Foundation
import Testing

/// Real files found on the web, kept beside the project and read in place: `../shared/aasa/corpus` as seen from the
/// package's root. Tests that need them say that they are skipped where the folder is absent.
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

    /// The files that are JSON objects, by name. `CorpusTests` says how many they are and what the others are.
    static func associations() throws -> [(name: String, association: Association)] {
        try files().compactMap { file in
            (try? Association(parsing: file.bytes)).map { (file.name, $0) }
        }
    }
}
