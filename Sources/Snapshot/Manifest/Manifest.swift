/// All live hosts of an installation, sorted, each with its activation, version and file.
///
/// A value of this type is always valid, whether a publisher created it or a consumer verified it: numbers and sizes
/// are within their limits; hosts are valid, sorted by their bytes, and unique. A manifest is stored as its text, which
/// copies share. A host's entry is read from its line each time.
///
/// If a host is missing from the manifest, it was withdrawn. A manifest with **no** hosts is probably an accident. So a
/// consumer that serves hosts accepts it only if `isEmptied` is set.
public struct Manifest: Sendable {
    /// The maximum size that a consumer reads, in bytes. It is enough for two million hosts.
    public static let largest = 256 * 1024 * 1024

    /// The latest activation of the installation, or 0 before the first. It increases with every change of the live
    /// files, including withdrawals.
    public let activation: Int64
    /// True if the last host was withdrawn intentionally.
    public let isEmptied: Bool
    /// The number of hosts.
    public let count: Int
    /// The distinct files, ordered by the first host of each file.
    public let files: [ManifestFile]
    /// For each host in order, the index of its file in `files`.
    package let fileNumbers: [UInt32]
    /// The text, followed by the signature line if the manifest has been signed or verified.
    package let bytes: [UInt8]
    /// The range of the hosts' lines in `bytes`.
    package let hostLines: Range<Int>

    /// Creates a manifest from entries in any order.
    ///
    /// - Parameters:
    ///   - activation: The latest activation of the installation. No entry may have a higher one.
    ///   - entries: The live entries. Hosts must be unique.
    ///   - isEmptied: True only if there are no entries because the last host was withdrawn intentionally. Derive it
    ///     from a record of that withdrawal. Missing rows are not sufficient.
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

    /// Reads a text without a signature line.
    init(reading text: [UInt8]) throws(ManifestError) { try self.init(reading: text, end: text.count) }

    /// Reads the bytes before `end`. The bytes after it are stored but not read.
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
        // The count comes from the sender and may be wrong, so reserve only as much memory as the received bytes can
        // need.
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

    /// The same manifest with a new signature line.
    func with(signature: [UInt8]) -> Manifest { Manifest(self, signature: signature) }

    /// The signed part: every byte before the signature line.
    package var text: ArraySlice<UInt8> { bytes[..<hostLines.upperBound] }

    /// The entity tag of signed bytes: the activation and the SHA-256, in quotation marks. Consumers compare the whole
    /// tag. Servers also read the activation from it.
    public static func entityTag(of signed: [UInt8]) -> String {
        entityTag(activation: statedActivation(in: signed) ?? 0, hash: ContentHash(of: signed))
    }

    /// The entity tag of signed bytes with this activation and hash.
    package static func entityTag(activation: Int64, hash: ContentHash) -> String { "\"\(activation)-\(hash.hex)\"" }

    /// The activation in a tag created by `entityTag`, or `nil` for any other tag.
    public static func activation(ofTag tag: some StringProtocol) -> Int64? {
        let fields = tag.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 2, tag == "\"\(fields[0])-\(fields[1])\"", ContentHash(hex: fields[1]) != nil else {
            return nil
        }
        return Int64(fields[0])
    }

    /// The activation in an unverified text, or `nil` if it has none.
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
    /// Compares the texts. Ignores the signature lines.
    public static func == (one: Manifest, other: Manifest) -> Bool { one.text == other.text }

    /// Adds the text to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
