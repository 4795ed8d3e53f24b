internal import NIOCore
internal import Snapshot

/// Maps hosts to files. It is immutable and compact, and each request needs one look-up.
///
/// The index points into the manifest's own text, so no objects are created for hosts. It takes twelve bytes per host,
/// doubled for empty slots.
public final class ServingTable: Sendable {
    /// The result of a look-up.
    enum Answer {
        case file(PreparedFile, version: Int64)
        /// The host is published, but its file could not be fetched or read. Never respond with 404 in this case,
        /// because a 404 would end the association on every device that asks.
        case unavailable
        case unknown
    }

    /// The activation of the manifest.
    public let activation: Int64
    /// The number of hosts.
    public let count: Int
    /// The hosts of the manifest.
    private let hosts: HostIndex
    /// The hosts whose entries differ from the manifest: an older entry, or no file.
    private let exceptions: HostIndex
    /// The files, by their number in the indexes. `nil` if a file is not available.
    private let files: [PreparedFile?]

    /// Creates a table from a snapshot.
    ///
    /// - Parameter file: Returns the prepared file, or `nil` if it is not available. It is called once for each file.
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

    /// Looks up a host in normal form.
    func answer(_ host: UnsafeBufferPointer<UInt8>) -> Answer {
        guard let found = exceptions.find(host) ?? hosts.find(host) else { return .unknown }
        guard let file = files[Int(found.file)] else { return .unavailable }
        return .file(file, version: found.version)
    }

    /// Looks up a host given as a string.
    func answer(_ host: String) -> Answer {
        HostField.withNormalized(host.utf8) { answer($0) } ?? .unknown
    }

    /// Returns true if a host is published, even if its file is not available.
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
