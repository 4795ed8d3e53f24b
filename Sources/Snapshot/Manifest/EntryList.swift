import Hex

/// A list of entries that a machine writes for its own use. It has a first line, a line for each entry as in a
/// manifest, and the SHA-256 of all previous bytes. It has no signature, because no other machine reads it.
package struct EntryList: Sendable {
    private static let checksumLength = ContentHash.byteCount * 2 + 1

    /// The entries, in the order in which they were written.
    package let entries: [ManifestEntry]
    private let firstLine: String

    /// - Parameter kind: The kind of list, for example `held`.
    package init(kind: String, entries: [ManifestEntry]) {
        firstLine = Self.firstLine(of: kind)
        self.entries = entries
    }

    /// Reads a list. Returns `nil` if the bytes are damaged or of another kind.
    package init?(kind: String, reading bytes: [UInt8]) {
        guard bytes.count > Self.checksumLength, bytes.last == UInt8(ascii: "\n") else { return nil }
        let end = bytes.count - Self.checksumLength
        let text = Array(bytes[..<end])
        guard ContentHash(hexBytes: bytes[end...].dropLast()) == ContentHash(of: text) else { return nil }
        var reader = ManifestReader(text)
        guard reader.skip(Self.firstLine(of: kind)) else { return nil }
        var entries: [ManifestEntry] = []
        do throws(ManifestError) {
            while reader.remaining > 0 {
                let entry = reader.entry(try reader.hostLine())
                try entry.check()
                entries.append(entry)
            }
        } catch {
            return nil
        }
        self.init(kind: kind, entries: entries)
    }

    /// The list as text, which `init(kind:reading:)` reads.
    package var bytes: [UInt8] {
        var text = Array(firstLine.utf8)
        for entry in entries { entry.write(to: &text) }
        text.append(contentsOf: Hexadecimal.digits(of: ContentHash(of: text).bytes))
        text.append(UInt8(ascii: "\n"))
        return text
    }

    private static func firstLine(of kind: String) -> String { "waymark-\(kind) 1\n" }
}
