/// Everything that is live on an installation: hosts in order, each with its activation, version and file.
///
/// A value of this type has been checked, whether it was made by a publisher or verified by a consumer: numbers and
/// sizes within their limits, hosts valid, in the order of their bytes and each once. It is its own text: the lines stand
/// in memory once, and whoever needs a host's entry reads its line again. A copy shares them.
///
/// A host that is missing has been withdrawn. A manifest with **no** host at all is more likely an accident than a
/// wish, so a consumer that serves something goes over to it only when `isEmptied` is set as well.
public struct Manifest: Sendable {
    /// A consumer reads no more bytes than this: room for two million hosts.
    public static let largest = 256 * 1024 * 1024

    /// The highest activation of the installation, 0 before the first. Rises with every change of what is live,
    /// withdrawals among them.
    public let activation: Int64
    /// Says that the last host was withdrawn deliberately.
    public let isEmptied: Bool
    /// The number of hosts.
    public let count: Int
    /// The distinct files, in the order of the first host that serves each.
    public let files: [ManifestFile]
    /// For each host in order, the index of its file in `files`.
    package let fileNumbers: [UInt32]
    /// The text; the signature line stands behind it where the manifest has been signed or verified.
    package let bytes: [UInt8]
    /// Where the hosts' lines are in `bytes`.
    package let hostLines: Range<Int>

    /// A manifest of these entries, which may come in any order.
    ///
    /// - Parameters:
    ///   - activation: the highest of the installation, at least that of every entry.
    ///   - entries: what is live, each host once.
    ///   - isEmptied: true only where there are no entries because the last host was withdrawn on purpose. Set it from
    ///     a record of that withdrawal, not from the absence of rows.
    public init(activation: Int64, entries: [ManifestEntry], isEmptied: Bool = false) throws(ManifestError) {
        guard activation >= 0 else { throw .badNumber }
        var text = Self.head(activation: activation, count: entries.count, isEmptied: isEmptied)
        text.reserveCapacity(text.count + entries.count * 128)
        for entry in entries.sorted(by: { HostName.precedes($0.host, $1.host) }) {
            try entry.check()
            entry.write(to: &text)
        }
        try self.init(reading: text)
    }

    /// The manifest in a text without a signature line.
    init(reading text: [UInt8]) throws(ManifestError) { try self.init(reading: text, end: text.count) }

    /// The manifest in the bytes before `end`; those behind are kept with it.
    init(reading bytes: [UInt8], end: Int) throws(ManifestError) {
        var reader = ManifestReader(bytes, range: 0..<end)
        guard reader.skip(Self.firstLine) else { throw .unknownFormat }
        let activation = try reader.line("activation ")
        let count = try reader.line("hosts ")
        let isEmptied = try reader.emptied()
        guard !isEmptied || (count == 0 && reader.remaining == 0) else { throw .emptiedWithEntries }
        let start = reader.position
        var numbers = FileNumbers()
        var fileNumbers: [UInt32] = []
        // The count is the sender's word: it reserves no more memory than the bytes at hand can need.
        fileNumbers.reserveCapacity(min(Int(clamping: count), reader.remaining / 70 + 1))
        var previous = 0..<0
        while reader.remaining > 0 {
            let line = try reader.hostLine()
            try Self.check(line, after: previous, activation: activation, in: bytes)
            fileNumbers.append(numbers.number(of: line.file))
            previous = line.host
        }
        guard fileNumbers.count == count else { throw .wrongCount }
        self.activation = activation
        self.isEmptied = isEmptied
        self.count = fileNumbers.count
        files = numbers.files
        self.fileNumbers = fileNumbers
        self.bytes = bytes
        hostLines = start..<end
    }

    private init(_ manifest: Manifest, signature: [UInt8]) {
        activation = manifest.activation
        isEmptied = manifest.isEmptied
        count = manifest.count
        files = manifest.files
        fileNumbers = manifest.fileNumbers
        bytes = manifest.text + signature
        hostLines = manifest.hostLines
    }

    /// The same manifest with another signature line, or its first.
    func with(signature: [UInt8]) -> Manifest { Manifest(self, signature: signature) }

    /// What is signed: every byte before the signature line.
    package var text: ArraySlice<UInt8> { bytes[..<hostLines.upperBound] }

    /// The entity tag under which a server offers these signed bytes: the activation that they state, and their SHA-256,
    /// in quotation marks. Consumers compare it as a whole; the server that made it reads the activation again.
    public static func entityTag(of signed: [UInt8]) -> String {
        entityTag(activation: statedActivation(in: signed) ?? 0, hash: ContentHash(of: signed))
    }

    /// The entity tag of signed bytes that state this activation and have this hash.
    package static func entityTag(activation: Int64, hash: ContentHash) -> String { "\"\(activation)-\(hash.hex)\"" }

    /// The activation in a tag that `entityTag` has made; nil for any other.
    public static func activation(ofTag tag: some StringProtocol) -> Int64? {
        let fields = tag.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 2, tag == "\"\(fields[0])-\(fields[1])\"", ContentHash(hex: fields[1]) != nil else {
            return nil
        }
        return Int64(fields[0])
    }

    /// The activation that a text states, before anything has been verified; nil where it is none.
    static func statedActivation(in text: [UInt8]) -> Int64? {
        var reader = ManifestReader(text)
        guard reader.skip(firstLine) else { return nil }
        return try? reader.line("activation ")
    }

    private static func check(
        _ line: ManifestReader.Line, after previous: Range<Int>, activation: Int64, in bytes: [UInt8]
    ) throws(ManifestError) {
        func host() -> String { String(decoding: bytes[line.host], as: UTF8.self) }
        guard HostName.isValid(bytes[line.host]) else { throw .badHost(host()) }
        guard line.activation >= 1, line.version >= 1 else { throw .badNumber }
        guard Blob.sizes.contains(line.file.size) else { throw .badSize(host: host(), size: line.file.size) }
        guard bytes[previous].lexicographicallyPrecedes(bytes[line.host]) else { throw .outOfOrder(host: host()) }
        guard line.activation <= activation else { throw .activationAboveManifest(host: host()) }
    }
}

extension Manifest: Hashable {
    /// Whether both say the same. Their signature lines, if any, are not looked at.
    public static func == (one: Manifest, other: Manifest) -> Bool { one.text == other.text }

    /// Feeds the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
