/// Reads the lines of a manifest's text, in the one form that they have.
struct ManifestReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Of the line about to be read, from 1.
    private(set) var lineNumber = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes not read yet.
    var remaining: Int { bytes.count - position }

    /// Goes past `text` if it comes next.
    mutating func skip(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        if text.utf8.last == UInt8(ascii: "\n") { lineNumber += 1 }
        return true
    }

    /// `word` and a number, the whole line.
    mutating func line(_ word: String) throws(ManifestError) -> Int64 {
        guard skip(word), let number = number(), take("\n") else { throw .notCanonical(line: lineNumber) }
        lineNumber += 1
        return number
    }

    /// host, activation, version, SHA-256, size.
    mutating func entry() throws(ManifestError) -> ManifestEntry {
        let fault = ManifestError.notCanonical(line: lineNumber)
        let host = field(longest: HostName.longest)
        guard take(" "), let activation = number(), take(" "), let version = number(), take(" "),
            let sha256 = ContentHash(hexBytes: field(longest: ContentHash.byteCount * 2)),
            take(" "), let size = number(), take("\n"), let size = Int(exactly: size)
        else { throw fault }
        lineNumber += 1
        return ManifestEntry(
            host: String(decoding: host, as: UTF8.self), activation: activation, version: version, sha256: sha256,
            size: size)
    }

    /// Bytes up to a space or the line's end.
    private mutating func field(longest: Int) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, position - start < longest, bytes[position] > UInt8(ascii: " ") { position += 1 }
        return bytes[start..<position]
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// A number of `Int64` without sign or leading zeros.
    private mutating func number() -> Int64? {
        let start = position
        var value: Int64 = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
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
