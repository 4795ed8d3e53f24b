internal import Glibc
internal import Snapshot

/// Finds the line of a host in a text, with an open-addressed hash table of positions.
///
/// Tenants choose the hosts. Swift's hash has a random seed in each process, so a tenant cannot choose names that
/// collide.
struct HostIndex: Sendable {
    /// The position of a host's line, the number of its file, and a part of the host's hash. Position 0 means an empty
    /// slot.
    ///
    /// Reading the text is slow, because it is not in the processor's caches. The part of the hash shows which slots
    /// cannot match, so usually only the right line is read.
    private struct Slot {
        var place: UInt32 = 0
        var file: UInt32 = 0
        var tag: UInt32 = 0
    }

    private let text: [UInt8]
    private let slots: [Slot]

    /// Lines that are not in a manifest.
    struct Rows {
        /// The text. Its first byte is not part of a line, because position 0 means an empty slot.
        fileprivate var text = [UInt8(ascii: "\n")]
        fileprivate var files: [UInt32] = []

        /// Adds a served entry.
        mutating func append(_ entry: ManifestEntry, file: UInt32) {
            entry.write(to: &text)
            files.append(file)
        }

        /// Adds a host without a file to serve. Its version is 0.
        mutating func append(_ host: String, file: UInt32) {
            text.append(contentsOf: "\(host) 0 0\n".utf8)
            files.append(file)
        }
    }

    /// Creates an index that points into the manifest's own text. The file numbers are those of the manifest.
    init(_ manifest: Manifest) {
        self.init(manifest.bytes, lines: manifest.hostLines, files: manifest.fileNumbers)
    }

    /// Creates an index of these rows.
    init(_ rows: Rows) {
        self.init(rows.text, lines: 1..<rows.text.count, files: rows.files)
    }

    private init(_ text: [UInt8], lines: Range<Int>, files: [UInt32]) {
        self.text = text
        slots = files.isEmpty ? [] : Self.slots(text, lines, files)
    }

    private static func slots(_ text: [UInt8], _ lines: Range<Int>, _ files: [UInt32]) -> [Slot] {
        var size = 2
        while size < files.count * 2 { size *= 2 }
        var slots = [Slot](repeating: Slot(), count: size)
        text.withUnsafeBytes { text in
            var place = lines.lowerBound
            for file in files {
                let rest = UnsafeRawBufferPointer(rebasing: text[place..<lines.upperBound])
                guard let host = rest.firstIndex(of: UInt8(ascii: " ")),
                    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
                else { return }
                let hash = hash(UnsafeRawBufferPointer(rebasing: rest[..<host]))
                var slot = hash & (size - 1)
                while slots[slot].place != 0 { slot = (slot + 1) & (size - 1) }
                slots[slot] = Slot(place: UInt32(clamping: place), file: file, tag: tag(hash))
                place += end + 1
            }
        }
        return slots
    }

    /// The version and the file number in a host's line, or `nil` if the host has no line.
    func find(_ host: UnsafeBufferPointer<UInt8>) -> (file: UInt32, version: Int64)? {
        guard !slots.isEmpty, let name = host.baseAddress else { return nil }
        let mask = slots.count - 1
        let hash = Self.hash(UnsafeRawBufferPointer(host))
        let tag = Self.tag(hash)
        var slot = hash & mask
        return text.withUnsafeBytes { text in
            // At most half of the slots are in use, so this loop ends.
            while case let found = slots[slot], found.place != 0 {
                let end = Int(found.place) + host.count
                if found.tag == tag, end < text.count, text[end] == UInt8(ascii: " "), let base = text.baseAddress,
                    memcmp(base + Int(found.place), name, host.count) == 0
                {
                    return (found.file, Self.version(behind: end + 1, in: text))
                }
                slot = (slot + 1) & mask
            }
            return nil
        }
    }

    /// Reads the second number after this position. The line is valid, because the text was checked when it was read.
    private static func version(behind place: Int, in text: UnsafeRawBufferPointer) -> Int64 {
        var place = place
        while place < text.count, text[place] > UInt8(ascii: " ") { place += 1 }
        place += 1
        var version: Int64 = 0
        while place < text.count, case let digit = text[place] &- UInt8(ascii: "0"), digit < 10 {
            version = version &* 10 &+ Int64(digit)
            place += 1
        }
        return version
    }

    /// A part of the hash. The slot's position depends on other bits.
    private static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return hasher.finalize()
    }
}
