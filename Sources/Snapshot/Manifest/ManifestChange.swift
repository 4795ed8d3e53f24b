/// The change of one host between a manifest and a later one.
public enum ManifestChange: Hashable, Sendable {
    /// This entry is now live.
    case live(ManifestEntry)
    /// The host has had no live file since `activation`.
    case removed(host: String, activation: Int64)

    /// The changed host.
    public var host: String {
        switch self {
        case .live(let entry): entry.host
        case .removed(let host, _): host
        }
    }

    /// The activation of the change.
    public var activation: Int64 {
        switch self {
        case .live(let entry): entry.activation
        case .removed(_, let activation): activation
        }
    }
}

/// Changes as text: one line per host, sorted by the hosts' bytes. A live entry has the same line as in a manifest. A
/// removed host has the line `- ` followed by the host.
struct ManifestChanges {
    static let removal = "- "

    private struct Change {
        let host: Range<Int>
        /// The range of the host's new line, or `nil` if the host is removed.
        let line: Range<Int>?
    }

    private var changes: [Change] = []
    private let bytes: [UInt8]
    /// The range of the changes' lines in `bytes`.
    private let range: Range<Int>

    /// Creates changes, given in any order. Hosts must be unique.
    init(_ changes: [ManifestChange]) throws(ManifestError) {
        var text: [UInt8] = []
        for change in changes.sorted(by: { HostName.precedes($0.host, $1.host) }) {
            switch change {
            case .live(let entry):
                try entry.check()
                entry.write(to: &text)
            case .removed(let host, _):
                guard HostName.isValid(host.utf8) else { throw .badHost(host) }
                text.append(contentsOf: "\(Self.removal)\(host)\n".utf8)
            }
        }
        var reader = ManifestReader(text)
        try self.init(&reader, of: text)
    }

    /// Reads changes from the position of `reader` to the end.
    init(_ reader: inout ManifestReader, of bytes: [UInt8]) throws(ManifestError) {
        let start = reader.position
        var changes: [Change] = []
        while reader.remaining > 0 {
            let change =
                if bytes[reader.position] == UInt8(ascii: "-") {
                    Change(host: try reader.removedHost(), line: nil)
                } else {
                    Self.change(try reader.hostLine())
                }
            if let last = changes.last, !bytes[last.host].lexicographicallyPrecedes(bytes[change.host]) {
                throw .outOfOrder(host: String(decoding: bytes[change.host], as: UTF8.self))
            }
            changes.append(change)
        }
        self.changes = changes
        self.bytes = bytes
        range = start..<reader.position
    }

    private static func change(_ line: ManifestReader.Line) -> Change { Change(host: line.host, line: line.range) }

    /// The text of the changes.
    var text: ArraySlice<UInt8> { bytes[range] }

    /// The number of hosts in `base` after these changes.
    func count(after base: Manifest) -> Int {
        changes.reduce(base.count) { count, change in
            let host = bytes[change.host]
            let place = base.place(notBefore: host, from: base.hostLines.lowerBound)
            let isThere = base.isHost(host, at: place)
            return count + (change.line == nil ? 0 : 1) - (isThere ? 1 : 0)
        }
    }

    /// Appends the hosts' lines of `base` with these changes applied. If a removed host is not in `base`, its removal
    /// is ignored.
    func appendHostLines(of base: Manifest, to text: inout [UInt8]) {
        var copied = base.hostLines.lowerBound
        for change in changes {
            let host = bytes[change.host]
            let place = base.place(notBefore: host, from: copied)
            text.append(contentsOf: base.bytes[copied..<place])
            if let line = change.line { text.append(contentsOf: bytes[line]) }
            copied = base.isHost(host, at: place) ? base.end(ofLineAt: place) : place
        }
        text.append(contentsOf: base.bytes[copied..<base.hostLines.upperBound])
    }
}

extension Manifest {
    /// Returns this manifest with changes applied, not signed. If no host is left, `isEmptied` is true if the changes
    /// include a removal or `isEmptied` was true before.
    ///
    /// - Parameters:
    ///   - activation: The new latest activation of the installation.
    ///   - changes: The changes. Hosts must be unique. The removal of a host that is not in this manifest is ignored.
    public func changed(to activation: Int64, by changes: [ManifestChange]) throws(ManifestError) -> Manifest {
        guard activation >= 0 else { throw .badNumber }
        let isRemoval = changes.contains { if case .removed = $0 { true } else { false } }
        let changes = try ManifestChanges(changes)
        let count = changes.count(after: self)
        let isEmptied = count == 0 && (self.isEmptied || isRemoval)
        var text = Self.head(activation: activation, count: count, isEmptied: isEmptied)
        text.reserveCapacity(text.count + hostLines.count + changes.text.count + Self.signatureLineLength)
        changes.appendHostLines(of: self, to: &text)
        return try Manifest(reading: text)
    }
}
