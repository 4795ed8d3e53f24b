/// A file in a manifest.
public struct ManifestFile: Hashable, Sendable {
    /// The SHA-256 of the file's bytes.
    public let sha256: ContentHash
    /// The file's size in bytes.
    public let size: Int

    /// Creates a file with this hash and size.
    public init(sha256: ContentHash, size: Int) {
        self.sha256 = sha256
        self.size = size
    }
}

extension ManifestEntry {
    /// The file that the host serves.
    public var file: ManifestFile { ManifestFile(sha256: sha256, size: size) }
}

/// Assigns a number to each distinct file, from 0, in the order of first use.
struct FileNumbers {
    private(set) var files: [ManifestFile] = []
    private var numbers: [ManifestFile: UInt32] = [:]

    /// The number of a file.
    mutating func number(of file: ManifestFile) -> UInt32 {
        if let number = numbers[file] { return number }
        let number = UInt32(clamping: files.count)
        numbers[file] = number
        files.append(file)
        return number
    }
}
