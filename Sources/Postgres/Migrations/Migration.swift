import Crypto
import FoundationEssentials
import Hex

/// A step of the schema: a file `NNNN_name.sql` with plain SQL.
public struct Migration: Sendable, Hashable {
    /// The migration's position in the order: 1, 2, 3 …
    public let number: Int
    /// The description from the file's name: lower-case letters, digits and underscores.
    public let name: String
    /// The file's text.
    public let sql: String

    /// Creates a migration from its parts.
    public init(number: Int, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }

    /// Creates a migration from its file's name. Returns `nil` if the name does not have the form `NNNN_name.sql`.
    public init?(fileName: String, sql: String) {
        guard fileName.hasSuffix(".sql") else { return nil }
        let parts = fileName.dropLast(4).split(separator: "_", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(parts[0]),
            parts[1].utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 95 })
        else { return nil }
        self.init(number: number, name: String(parts[1]), sql: sql)
    }

    /// The SHA-256 of `sql`, in lower-case hexadecimal. It changes if the file is edited.
    public var sha256: String { Hexadecimal.encode(SHA256.hash(data: Array(sql.utf8))) }

    var label: String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + "_" + name
    }

    /// Reads the migrations of a folder, in order. Skips files that do not end in `.sql`.
    ///
    /// - Throws: `MigrationError` if the folder or a file cannot be read, or the name of a `.sql` file is wrong.
    public static func load(fromDirectory path: String) throws(MigrationError) -> [Migration] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw .unreadable(path: path)
        }
        var migrations: [Migration] = []
        for name in names where name.hasSuffix(".sql") && !name.hasPrefix(".") {
            let file = path + "/" + name
            guard let bytes = FileManager.default.contents(atPath: file),
                let sql = String(validating: bytes, as: UTF8.self)
            else { throw .unreadable(path: file) }
            guard let migration = Migration(fileName: name, sql: sql) else { throw .misnamed(file: name) }
            migrations.append(migration)
        }
        return migrations.sorted { ($0.number, $0.name) < ($1.number, $1.name) }
    }
}
