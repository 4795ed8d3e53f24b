internal import NIOCore
internal import Snapshot

/// Host → file, as one request needs it: immutable, compact, one look-up.
///
/// Hosts lie end to end in one array, rows are of fixed size, and an open-addressed table of 32-bit numbers finds them:
/// about 70 bytes a host beside the name, with no object for each. Hosts come from tenants, so the hash is Swift's, with
/// its seed of the process: nobody can prepare names that collide.
public final class ServingTable: Sendable {
    struct Row: Sendable {
        let hostStart: UInt32
        let hostLength: UInt8
        /// An index of `files`; `noFile` where the host is known and its bytes are not at hand.
        let file: UInt32
        let version: Int64
    }

    /// What a look-up finds.
    enum Answer {
        case file(PreparedFile, version: Int64)
        /// The host is published, but its file could not be fetched or read. Never a 404, which would end the
        /// association on every device that asks.
        case unavailable
        case unknown
    }

    private static let noFile = UInt32.max

    /// The activation of the manifest that this was made from.
    public let activation: Int64
    private let hosts: [UInt8]
    private let rows: [Row]
    private let slots: [UInt32]
    private let files: [PreparedFile]

    /// The number of hosts.
    public var count: Int { rows.count }

    /// A table of a snapshot's entries.
    ///
    /// - Parameter file: gives the prepared file of a hash; asked once for each.
    init<Failure: Error>(
        activation: Int64, entries: [ManifestEntry], unavailable: [String] = [],
        file: (ManifestEntry) throws(Failure) -> PreparedFile?
    ) throws(Failure) {
        var hosts: [UInt8] = []
        var rows: [Row] = []
        var files: [PreparedFile] = []
        var numbers: [ContentHash: UInt32] = [:]
        rows.reserveCapacity(entries.count + unavailable.count)
        for entry in entries {
            if numbers[entry.sha256] == nil {
                if let prepared = try file(entry) {
                    numbers[entry.sha256] = UInt32(files.count)
                    files.append(prepared)
                } else {
                    numbers[entry.sha256] = Self.noFile
                }
            }
            let number = numbers[entry.sha256] ?? Self.noFile
            rows.append(Self.row(entry.host, in: &hosts, file: number, version: entry.version))
        }
        for host in unavailable { rows.append(Self.row(host, in: &hosts, file: Self.noFile, version: 0)) }
        self.activation = activation
        self.hosts = hosts
        self.rows = rows
        self.files = files
        slots = Self.slots(rows, hosts)
    }

    private static func row(_ host: String, in hosts: inout [UInt8], file: UInt32, version: Int64) -> Row {
        let start = UInt32(clamping: hosts.count)
        hosts.append(contentsOf: host.utf8)
        return Row(hostStart: start, hostLength: UInt8(clamping: host.utf8.count), file: file, version: version)
    }

    /// What is served on a host in its normal form.
    func answer(_ host: UnsafeBufferPointer<UInt8>) -> Answer {
        let mask = slots.count - 1
        var slot = Self.hash(UnsafeRawBufferPointer(host)) & mask
        // Half of the slots are empty, so this ends.
        while case let number = slots[slot], number != 0 {
            let row = rows[Int(number) - 1]
            if name(of: row).elementsEqual(host) {
                return row.file == Self.noFile ? .unavailable : .file(files[Int(row.file)], version: row.version)
            }
            slot = (slot + 1) & mask
        }
        return .unknown
    }

    /// What is served on a host in its normal form, for callers that have a string.
    func answer(_ host: String) -> Answer {
        HostField.withNormalized(host.utf8) { answer($0) } ?? .unknown
    }

    /// The prepared files by their hash, for the next table to take over.
    var filesByHash: [ContentHash: PreparedFile] {
        Dictionary(files.map { ($0.sha256, $0) }, uniquingKeysWith: { one, _ in one })
    }

    private func name(of row: Row) -> ArraySlice<UInt8> {
        hosts[Int(row.hostStart)..<Int(row.hostStart) + Int(row.hostLength)]
    }

    private static func slots(_ rows: [Row], _ hosts: [UInt8]) -> [UInt32] {
        var size = 2
        while size < rows.count * 2 { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        hosts.withUnsafeBytes { hosts in
            for (index, row) in rows.enumerated() {
                let name = hosts[Int(row.hostStart)..<Int(row.hostStart) + Int(row.hostLength)]
                var slot = hash(UnsafeRawBufferPointer(rebasing: name)) & (size - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
                slots[slot] = UInt32(index + 1)
            }
        }
        return slots
    }

    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return hasher.finalize()
    }
}
