internal import NIOCore
internal import Snapshot

/// Host → file, as one request needs it: immutable, compact, one look-up.
///
/// The manifest's own text is the table's memory: eight bytes of index for each host, doubled for the empty places, point
/// into it, with no object for each host.
public final class ServingTable: Sendable {
    /// What a look-up finds.
    enum Answer {
        case file(PreparedFile, version: Int64)
        /// The host is published, but its file could not be fetched or read. Never a 404, which would end the
        /// association on every device that asks.
        case unavailable
        case unknown
    }

    /// The activation of the manifest that this was made from.
    public let activation: Int64
    /// The number of hosts.
    public let count: Int
    /// What the manifest says.
    private let hosts: HostIndex
    /// What goes before it: hosts with an older entry, and those without a file.
    private let exceptions: HostIndex
    /// By the number in the indexes; nil where the bytes are not at hand.
    private let files: [PreparedFile?]

    /// A table of what has been settled on.
    ///
    /// - Parameter file: gives the prepared file; asked once for each.
    init<Failure: Error>(
        _ snapshot: ServedSnapshot, file: (ManifestFile) throws(Failure) -> PreparedFile?
    ) throws(Failure) {
        let manifest = snapshot.manifest
        var files: [PreparedFile?] = []
        files.reserveCapacity(manifest.files.count + 1)
        for wanted in manifest.files { files.append(try file(wanted)) }
        var exceptions = HostIndex.Rows()
        for entry in snapshot.held {
            exceptions.append(entry, file: UInt32(files.count))
            files.append(try file(entry.file))
        }
        for host in snapshot.unavailable { exceptions.append(host, file: UInt32(files.count)) }
        files.append(nil)
        activation = manifest.activation
        count = snapshot.count + snapshot.unavailable.count
        hosts = HostIndex(manifest)
        self.exceptions = HostIndex(exceptions)
        self.files = files
    }

    /// What is served on a host in its normal form.
    func answer(_ host: UnsafeBufferPointer<UInt8>) -> Answer {
        guard let found = exceptions.find(host) ?? hosts.find(host) else { return .unknown }
        guard let file = files[Int(found.file)] else { return .unavailable }
        return .file(file, version: found.version)
    }

    /// What is served on a host in its normal form, for callers that have a string.
    func answer(_ host: String) -> Answer {
        HostField.withNormalized(host.utf8) { answer($0) } ?? .unknown
    }

    /// Whether a host in its normal form is published, though its file may not be at hand.
    public func serves(_ host: String) -> Bool {
        switch answer(host) {
        case .file, .unavailable: true
        case .unknown: false
        }
    }

    /// The prepared files by their hash, for the next table to take over.
    var filesByHash: [ContentHash: PreparedFile] {
        Dictionary(files.compactMap { $0.map { ($0.sha256, $0) } }, uniquingKeysWith: { one, _ in one })
    }
}
