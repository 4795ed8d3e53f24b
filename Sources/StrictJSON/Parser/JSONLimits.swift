/// The limits of a parser.
public struct JSONLimits: Sendable, Hashable {
    /// Bytes of the whole text.
    public var bytes: Int
    /// Nested arrays and objects; the root is at depth 1.
    public var depth: Int
    /// Bytes of one number.
    public var numberLength: Int
    /// UTF-8 bytes of one string after unescaping, names included.
    public var stringLength: Int
    /// Combining marks or regional indicators in a row (``CombiningMarks``).
    public var marksInRow: Int

    /// Values of every kind, including the root and nested values: each takes about 100 bytes of memory, however short its
    /// text is.
    public var values: Int

    /// Limits. The defaults are for a request body: 1 MiB, depth 32, numbers of 64 bytes, strings as long as the text,
    /// 250,000 values, and 64 marks in a row, which is more than any language uses.
    public init(
        bytes: Int = 1 << 20, depth: Int = 32, numberLength: Int = 64, stringLength: Int = 1 << 20,
        values: Int = 250_000, marksInRow: Int = 64
    ) {
        self.bytes = bytes
        self.depth = depth
        self.numberLength = numberLength
        self.stringLength = stringLength
        self.values = values
        self.marksInRow = marksInRow
    }
}

/// What a parser allows beyond strict JSON.
public struct JSONOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A UTF-8 byte order mark before the text.
    public static let byteOrderMark = JSONOptions(rawValue: 1)
    /// A name that appears twice in one object: the first value counts, the others are in ``JSONDocument/duplicates``.
    public static let duplicateKeys = JSONOptions(rawValue: 2)
    /// `\u0000` in a string. Not allowed by default, because PostgreSQL's `text` cannot store it.
    public static let nulCharacters = JSONOptions(rawValue: 4)

    /// Nothing beyond RFC 8259: for request bodies.
    public static let strict: JSONOptions = []
    /// Everything that Apple's parser accepts: for files found on the web.
    public static let lenient: JSONOptions = [.byteOrderMark, .duplicateKeys, .nulCharacters]
}
