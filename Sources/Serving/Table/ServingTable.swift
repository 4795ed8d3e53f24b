internal import NIOCore
internal import Snapshot

/// Maps hosts to files. It is immutable and compact, and each request needs one look-up.
///
/// The table uses the manifest's own text as its memory. An index points into the text, so there is no object per host.
/// The index takes eight bytes per host, doubled for empty slots.
public final class ServingTable: Sendable {
    /// The result of a look-up.
    enum Answer {
        case file(PreparedFile, version: Int64)
        /// The host is published, but its file could not be fetched or read. The answer must never be 404, because a
        /// 404 would end the association on every device that asks.
        case unavailable
        case unknown
    }

    /// The activation of the manifest.
    public let activation: Int64
    /// The number of hosts.
    public let count: Int
    /// The hosts of the manifest.
    private let hosts: HostIndex
    /// The hosts that do not follow the manifest: those with an older entry, and those without a file.
    private let exceptions: HostIndex
    /// The files by their number in the indexes, or `nil` if the bytes are not available.
    private let files: [PreparedFile?]

    /// Creates a table from a snapshot.
    ///
    /// - Parameter file: Returns the prepared file. It is called once for each file.
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

    /// The answer for a host in normal form.
    func answer(_ host: UnsafeBufferPointer<UInt8>) -> Answer {
        guard let found = exceptions.find(host) ?? hosts.find(host) else { return .unknown }
        guard let file = files[Int(found.file)] else { return .unavailable }
        return .file(file, version: found.version)
    }

    /// The answer for a host in normal form, for callers with a string.
    func answer(_ host: String) -> Answer {
        HostField.withNormalized(host.utf8) { answer($0) } ?? .unknown
    }

    /// Whether a host in normal form is published, even if its file is not available.
    public func serves(_ host: String) -> Bool {
        switch answer(host) {
        case .file, .unavailable: true
        case .unknown: false
        }
    }

    /// The prepared files by hash, for reuse in the next table.
    var filesByHash: [ContentHash: PreparedFile] {
        Dictionary(files.compactMap { $0.map { ($0.sha256, $0) } }, uniquingKeysWith: { one, _ in one })
    }
}
