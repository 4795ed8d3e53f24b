internal import Crypto
internal import Hex

/// The SHA-256 of a file's bytes: the name of a blob, and the edge's strong entity tag.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    /// Four words in big-endian order. An array would need a memory allocation for each hash, and there can be a
    /// million.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The number of bytes in a hash.
    public static let byteCount = 32

    /// Computes the hash of these bytes.
    public init(of bytes: [UInt8]) {
        var digest: [UInt8] = []
        digest.reserveCapacity(Self.byteCount)
        digest.append(contentsOf: SHA256.hash(data: bytes))
        words = Self.words(of: digest)
    }

    /// Creates a hash from its 32 bytes. Returns `nil` for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Self.words(of: bytes)
    }

    /// Creates a hash from 64 hexadecimal digits in lower case. Returns `nil` for any other text. Upper case is
    /// rejected, so that a hash has only one spelling.
    public init?(hex: some StringProtocol) {
        self.init(hexBytes: Array(hex.utf8))
    }

    package init?(hexBytes digits: some Collection<UInt8>) {
        guard digits.count == Self.byteCount * 2 else { return nil }
        let words = digits.withContiguousStorageIfAvailable(Self.words(ofHex:)) ?? Self.words(ofHex: Array(digits))
        guard let words else { return nil }
        self.words = words
    }

    /// Reads four words from 64 digits. Manifests contain millions of digits, so all of them are checked together at
    /// the end.
    private static func words(ofHex digits: some RandomAccessCollection<UInt8>) -> (UInt64, UInt64, UInt64, UInt64)? {
        var isWrong = false
        func word(_ start: Int) -> UInt64 {
            var word: UInt64 = 0
            for offset in start..<start + 16 {
                let digit = digits[digits.index(digits.startIndex, offsetBy: offset)]
                let decimal = digit &- UInt8(ascii: "0")
                let letter = digit &- UInt8(ascii: "a")
                isWrong = isWrong || (decimal > 9 && letter > 5)
                word = word << 4 | UInt64(decimal <= 9 ? decimal : (letter &+ 10) & 15)
            }
            return word
        }
        let words = (word(0), word(16), word(32), word(48))
        return isWrong ? nil : words
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    /// 64 hexadecimal digits in lower case.
    public var hex: String { Hexadecimal.encode(bytes) }

    /// The hash in hexadecimal, as in `hex`.
    public var description: String { hex }

    /// Returns true if both have the same 32 bytes.
    public static func == (one: ContentHash, other: ContentHash) -> Bool { one.words == other.words }

    /// Hashes only two of the words, because they are random enough.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }

    private static func words(of bytes: some Collection<UInt8>) -> (UInt64, UInt64, UInt64, UInt64) {
        var words: [UInt64] = [0, 0, 0, 0]
        for (position, byte) in bytes.enumerated() where position < byteCount {
            words[position / 8] = words[position / 8] << 8 | UInt64(byte)
        }
        return (words[0], words[1], words[2], words[3])
    }
}
