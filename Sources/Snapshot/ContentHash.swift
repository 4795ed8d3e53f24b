internal import Crypto

/// The SHA-256 of a file's bytes: the name of a blob, and the edge's strong entity tag.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    /// Four words in big-endian order rather than an array: a million hosts hold one each, with no allocation.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The number of bytes in a hash.
    public static let byteCount = 32

    /// The hash of these bytes.
    public init(of bytes: [UInt8]) {
        var digest: [UInt8] = []
        digest.reserveCapacity(Self.byteCount)
        digest.append(contentsOf: SHA256.hash(data: bytes))
        words = Self.words(of: digest)
    }

    /// A hash from its 32 bytes; nil for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Self.words(of: bytes)
    }

    /// A hash from 64 hexadecimal digits in lower case; nil for anything else, upper case among it, so that a hash has
    /// one spelling only.
    public init?(hex: some StringProtocol) {
        self.init(hexBytes: Array(hex.utf8))
    }

    package init?(hexBytes digits: some Collection<UInt8>) {
        guard digits.count == Self.byteCount * 2 else { return nil }
        var rest = digits.makeIterator()
        func word() -> UInt64? {
            var word: UInt64 = 0
            for _ in 0..<16 {
                guard let digit = rest.next(), let value = Hexadecimal.value(of: digit) else { return nil }
                word = word << 4 | UInt64(value)
            }
            return word
        }
        guard let first = word(), let second = word(), let third = word(), let fourth = word() else { return nil }
        words = (first, second, third, fourth)
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    /// 64 hexadecimal digits in lower case.
    public var hex: String { Hexadecimal.encode(bytes) }

    /// The same as `hex`.
    public var description: String { hex }

    /// Whether both are the same 32 bytes.
    public static func == (one: ContentHash, other: ContentHash) -> Bool { one.words == other.words }

    /// Feeds the hasher; the value is random enough that one word would do, but equal values must feed equally.
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
