internal import Glibc

/// Counts the fetches of each file on one event loop. Counting is one look-up and one addition. It allocates memory
/// only for a file that was not counted before.
///
/// One array contains all hosts. An open-addressed hash table of 32-bit numbers finds a row, as in `ServingTable`.
struct FetchCounts: Sendable {
    struct Row: Sendable {
        let hostStart: UInt32
        let hostLength: UInt8
        let client: FetchClient
        let version: Int64
        var count: UInt32
        /// The times of the first and the last fetch, in seconds since 1970.
        var first: Int
        var last: Int
    }

    /// The maximum number of rows of a loop between two collections. If it is reached, fetches of other files are only
    /// counted in `dropped`.
    static let maximumRows = 32_768

    private(set) var rows: [Row] = []
    /// The number of fetches that were counted without a row.
    private(set) var dropped = 0
    private var hosts: [UInt8] = []
    private var slots: [UInt32] = [0, 0]

    func host(of row: Row) -> String {
        String(decoding: hosts[Int(row.hostStart)..<Int(row.hostStart) + Int(row.hostLength)], as: UTF8.self)
    }

    /// - Parameters:
    ///   - host: The host in normal form.
    ///   - now: The time in seconds since 1970.
    mutating func note(_ host: UnsafeBufferPointer<UInt8>, version: Int64, client: FetchClient, now: Int) {
        let mask = slots.count - 1
        var slot = Self.hash(UnsafeRawBufferPointer(host), version, client) & mask
        // At most half of the slots are in use, so this loop ends.
        while case let number = slots[slot], number != 0 {
            let index = Int(number) - 1
            if rows[index].version == version, rows[index].client == client, isHost(host, of: rows[index]) {
                rows[index].count = rows[index].count == .max ? .max : rows[index].count + 1
                rows[index].last = now
                return
            }
            slot = (slot + 1) & mask
        }
        guard rows.count < Self.maximumRows else {
            dropped += 1
            return
        }
        rows.append(
            Row(
                hostStart: UInt32(clamping: hosts.count), hostLength: UInt8(clamping: host.count), client: client,
                version: version, count: 1, first: now, last: now))
        hosts.append(contentsOf: host)
        slots[slot] = UInt32(clamping: rows.count)
        if rows.count * 2 >= slots.count { grow() }
    }

    private mutating func grow() {
        let size = slots.count * 2
        slots = [UInt32](repeating: 0, count: size)
        hosts.withUnsafeBytes { hosts in
            for (index, row) in rows.enumerated() {
                let name = hosts[Int(row.hostStart)..<Int(row.hostStart) + Int(row.hostLength)]
                var slot = Self.hash(UnsafeRawBufferPointer(rebasing: name), row.version, row.client) & (size - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
                slots[slot] = UInt32(clamping: index + 1)
            }
        }
    }

    private func isHost(_ host: UnsafeBufferPointer<UInt8>, of row: Row) -> Bool {
        guard Int(row.hostLength) == host.count, let name = host.baseAddress else { return false }
        return hosts.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memcmp(start + Int(row.hostStart), name, host.count) == 0
        }
    }

    private static func hash(_ host: UnsafeRawBufferPointer, _ version: Int64, _ client: FetchClient) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: host)
        hasher.combine(version)
        hasher.combine(client)
        return hasher.finalize()
    }
}
