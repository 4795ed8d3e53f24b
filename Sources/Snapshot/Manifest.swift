/// Everything that is live on an installation: hosts in order, each with its activation, version and file.
///
/// A value of this type has been checked, whether it was made by a publisher or verified by a consumer: numbers and
/// sizes within their limits, hosts valid, in the order of their bytes and each once.
///
/// A host that is missing has been withdrawn. A manifest with **no** host at all is more likely an accident than a
/// wish, so a consumer that serves something goes over to it only when `isEmptied` is set as well.
public struct Manifest: Hashable, Sendable {
    /// A consumer reads no more bytes than this: room for two million hosts.
    public static let largest = 256 * 1024 * 1024

    /// The highest activation of the installation, 0 before the first. Rises with every change of what is live,
    /// withdrawals among them.
    public let activation: Int64
    /// In the order of the hosts' bytes.
    public let entries: [ManifestEntry]
    /// Says that the last host was withdrawn deliberately.
    public let isEmptied: Bool

    /// A manifest of these entries, which may come in any order.
    ///
    /// - Parameters:
    ///   - activation: the highest of the installation, at least that of every entry.
    ///   - entries: what is live, each host once.
    ///   - isEmptied: true only where there are no entries because the last host was withdrawn on purpose. Set it from
    ///     a record of that withdrawal, not from the absence of rows.
    public init(activation: Int64, entries: [ManifestEntry], isEmptied: Bool = false) throws(ManifestError) {
        let sorted = entries.sorted { HostName.precedes($0.host, $1.host) }
        try self.init(activation: activation, sorted: sorted, isEmptied: isEmptied)
    }

    init(activation: Int64, sorted entries: [ManifestEntry], isEmptied: Bool) throws(ManifestError) {
        guard activation >= 0 else { throw .badNumber }
        guard !isEmptied || entries.isEmpty else { throw .emptiedWithEntries }
        var previous: ManifestEntry?
        for entry in entries {
            try entry.check()
            if let previous, !HostName.precedes(previous.host, entry.host) { throw .outOfOrder(host: entry.host) }
            guard entry.activation <= activation else { throw .activationAboveManifest(host: entry.host) }
            previous = entry
        }
        self.activation = activation
        self.entries = entries
        self.isEmptied = isEmptied
    }

    /// The entry of a host in its normal form; found in logarithmic time.
    public func entry(of host: String) -> ManifestEntry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if HostName.precedes(entries[middle].host, host) { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].host.utf8.elementsEqual(host.utf8) else { return nil }
        return entries[low]
    }

    /// The entity tag under which a server offers these signed bytes: their SHA-256 in quotation marks.
    public static func entityTag(of signed: [UInt8]) -> String { "\"\(ContentHash(of: signed).hex)\"" }
}
