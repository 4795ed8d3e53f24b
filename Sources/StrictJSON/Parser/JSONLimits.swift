/// The limits of a parser.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum size of the whole text in bytes.
    public var bytes: Int
    /// The maximum depth of nested arrays and objects. The root has depth 1.
    public var depth: Int
    /// The maximum length of a number in bytes.
    public var numberLength: Int
    /// The maximum length of a string in UTF-8 bytes after unescaping, including names.
    public var stringLength: Int
    /// The maximum number of combining marks or regional indicators in a row (``CombiningMarks``).
    public var marksInRow: Int

    /// The maximum number of values, including the root and nested values. Each takes about 100 bytes of memory, even
    /// if its text is short.
    public var values: Int

    /// Creates limits. The defaults are for a request body: 1 MiB, depth 32, numbers of 64 bytes, strings as long as
    /// the text, 250,000 values, and 64 marks in a row, which is more than any language uses.
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

/// The extensions to strict JSON that a parser allows.
public struct JSONOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A UTF-8 byte order mark before the text.
    public static let byteOrderMark = JSONOptions(rawValue: 1)
    /// A name that appears twice in one object. The first value is used; the others are in ``JSONDocument/duplicates``.
    public static let duplicateKeys = JSONOptions(rawValue: 2)
    /// `\u0000` in a string. Not allowed by default, because PostgreSQL's `text` cannot store it.
    public static let nulCharacters = JSONOptions(rawValue: 4)

    /// No extensions to RFC 8259. For request bodies.
    public static let strict: JSONOptions = []
    /// Everything that Apple's parser accepts. For files from the web.
    public static let lenient: JSONOptions = [.byteOrderMark, .duplicateKeys, .nulCharacters]
}
