/// Reads the lines of a manifest's text in canonical form, without creating an object for each line.
struct ManifestReader {
    /// A host's line: its position in the text, and its fields.
    struct Line {
        /// The range from the host's first byte up to and including the line feed.
        let range: Range<Int>
        let host: Range<Int>
        let activation: Int64
        let version: Int64
        let file: ManifestFile
    }

    private let bytes: [UInt8]
    private let end: Int
    /// The position of the next byte to read.
    private(set) var position: Int
    /// The number of the next line, from 1.
    private(set) var lineNumber = 1

    init(_ bytes: [UInt8]) { self.init(bytes, range: 0..<bytes.count) }

    /// Creates a reader for a part of the bytes. `range` must be within the bytes.
    init(_ bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The number of unread bytes.
    var remaining: Int { end - position }

    /// Skips `text` if it is next in the bytes. Returns true in this case.
    mutating func skip(_ text: String) -> Bool {
        guard bytes[position..<end].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        if text.utf8.last == UInt8(ascii: "\n") { lineNumber += 1 }
        return true
    }

    /// Reads a whole line that consists of `word` and a number.
    mutating func line(_ word: String) throws(ManifestError) -> Int64 {
        guard skip(word), let number = number(), take("\n") else { throw .notCanonical(line: lineNumber) }
        lineNumber += 1
        return number
    }

    /// Reads a whole line `emptied yes` or `emptied no`.
    mutating func emptied() throws(ManifestError) -> Bool {
        if skip("emptied yes\n") { return true }
        if skip("emptied no\n") { return false }
        throw .notCanonical(line: lineNumber)
    }

    /// Reads a host's line with its activation, version, SHA-256 and size. Checks the format of the fields, but not
    /// their limits.
    mutating func hostLine() throws(ManifestError) -> Line {
        let start = position
        let host = field(longest: HostName.longest)
        guard take(" "), let activation = number(), take(" "), let version = number(), take(" "),
            let sha256 = hash(), take(" "), let size = number(), take("\n"), let size = Int(exactly: size)
        else { throw .notCanonical(line: lineNumber) }
        lineNumber += 1
        return Line(
            range: start..<position, host: host, activation: activation, version: version,
            file: ManifestFile(sha256: sha256, size: size))
    }

    /// Reads a whole line with `- ` and a host.
    mutating func removedHost() throws(ManifestError) -> Range<Int> {
        guard skip(ManifestChanges.removal), case let host = field(longest: HostName.longest), take("\n") else {
            throw .notCanonical(line: lineNumber)
        }
        lineNumber += 1
        return host
    }

    /// The entry in a line.
    func entry(_ line: Line) -> ManifestEntry {
        ManifestEntry(
            host: String(decoding: bytes[line.host], as: UTF8.self), activation: line.activation,
            version: line.version, sha256: line.file.sha256, size: line.file.size)
    }

    /// Reads bytes up to a space or the end of the line.
    private mutating func field(longest: Int) -> Range<Int> {
        let start = position
        while position < end, position - start < longest, bytes[position] > UInt8(ascii: " ") { position += 1 }
        return start..<position
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func hash() -> ContentHash? {
        let length = ContentHash.byteCount * 2
        guard length <= remaining, let hash = ContentHash(hexBytes: bytes[position..<position + length]) else {
            return nil
        }
        position += length
        return hash
    }

    /// Reads an `Int64` without a sign and without leading zeros.
    private mutating func number() -> Int64? {
        let start = position
        var value: Int64 = 0
        while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            let (shifted, tooMuch) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooMuchStill) = shifted.addingReportingOverflow(Int64(digit))
            guard !tooMuch, !tooMuchStill else { return nil }
            value = sum
            position += 1
        }
        let length = position - start
        guard length == 1 || (length > 1 && bytes[start] != UInt8(ascii: "0")) else { return nil }
        return value
    }
}
