import Glibc
import NIOCore

/// Finds the processes that listen on an address (proc(5), `/proc/net/tcp`).
enum Listeners {
    /// The state TCP_LISTEN.
    private static let listening: Substring = "0A"

    /// Returns true if an address has listeners and all of them belong to these processes.
    static func exist(at address: SocketAddress, allOf processes: [pid_t]) -> Bool {
        let owned = processes.reduce(into: Set<String>()) { $0.formUnion(ProcessFiles.open(by: $1)) }
        let listeners = sockets(at: address)
        return !listeners.isEmpty && listeners.allSatisfy { owned.contains("socket:[\($0)]") }
    }

    /// The inodes of the sockets that listen on an address, or on all addresses with its port.
    private static func sockets(at address: SocketAddress) -> [Substring] {
        guard let port = address.port else { return [] }
        let own = hexadecimal(address)
        let isEverywhere = own.allSatisfy { $0 == "0" }
        return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { table -> [Substring] in
            return contents(of: table).split(separator: "\n").dropFirst().compactMap { line in
                let columns = line.split(separator: " ")
                guard columns.count > 9, columns[3] == listening else { return nil }
                let local = columns[1].split(separator: ":")
                guard local.count == 2, Int(local[1], radix: 16) == port else { return nil }
                let meets = isEverywhere || local[0] == own || local[0].allSatisfy { $0 == "0" }
                return meets ? columns[9] : nil
            }
        }
    }

    /// Reads the whole table. The kernel returns it in parts that are shorter than requested. Foundation would stop
    /// after the first part.
    private static func contents(of table: String) -> String {
        guard let file = fopen(table, "re") else { return "" }
        defer { fclose(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { text += piece[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Formats an IP address as in these tables: words of four bytes in the machine's byte order.
    private static func hexadecimal(_ address: SocketAddress) -> String {
        // The bytes of the address in `sockaddr_in` or `sockaddr_in6` (ip(7), ipv6(7)).
        let place = address.protocol == .inet6 ? 8..<24 : 4..<8
        let bytes = address.withSockAddr { start, size in
            Array(UnsafeRawBufferPointer(start: start, count: size).dropFirst(place.lowerBound).prefix(place.count))
        }
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            let word = bytes[start..<min(start + 4, bytes.count)].reversed().reduce(0 as UInt32) {
                $0 << 8 | UInt32($1)
            }
            let digits = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }
}
