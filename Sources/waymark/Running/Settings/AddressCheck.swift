import Glibc
import NIOCore

extension Address {
    /// True if two listeners would conflict: they have the same port, and the same host or one that means all hosts.
    /// Port 0 means any free port, so it never conflicts.
    fileprivate func overlaps(_ other: Address) -> Bool {
        let isAny = [host, other.host].contains { ["0.0.0.0", "::"].contains($0) }
        return port != 0 && port == other.port && (isAny || host.lowercased() == other.host.lowercased())
    }
}

/// Checks that an address can be used, before anything is started. The error names the setting.
///
/// The check binds the address and releases it, but does not listen. An edge of an earlier process may still serve
/// there, and the kernel would give some of its connections to a second listener.
enum AddressCheck {
    /// - Parameter edges: The other edges of the same state folder. They may use the address, because the new edge
    ///   takes over from them. Edges of other installations may not: the kernel would share requests between both
    ///   edges.
    static func requireFree(_ address: Address, _ setting: String, besides edges: FolderEdges? = nil) throws {
        func refuse(_ fault: String) -> Settings.Invalid {
            Settings.Invalid(
                name: setting,
                reason:
                    "is \(address), which cannot be used: \(fault). Stop the program that uses it, or set another address."
            )
        }
        guard let resolved = try? SocketAddress.makeAddressResolvingHost(address.host, port: address.port) else {
            throw refuse("the host does not exist")
        }
        for attempt in 1...attempts {
            guard let fault = fault(resolved, option: SO_REUSEADDR) else { return }
            guard let edges, self.fault(resolved, option: SO_REUSEPORT) == nil else { throw refuse(fault) }
            if Listeners.exist(at: resolved, allOf: edges.processes) { return }
            guard attempt < attempts else {
                throw refuse("another process uses it, which is not an edge of \(edges.folder)")
            }
            usleep(pauseMicroseconds)
        }
    }

    /// The maximum number of attempts. An edge of this folder can end between the two checks, and then the next attempt
    /// succeeds.
    private static let attempts = 5
    private static let pauseMicroseconds: UInt32 = 20_000

    /// Checks that no two settings have the same address. Otherwise the second listener would fail, or take some of the
    /// first one's connections.
    static func requireDifferent(_ addresses: [(name: String, address: Address)]) throws {
        for (place, second) in addresses.enumerated() {
            if let first = addresses[..<place].first(where: { $0.address.overlaps(second.address) }) {
                throw Settings.Invalid(
                    name: second.name,
                    reason:
                        "is \(second.address), which \(first.name) (\(first.address)) uses too. Give each its own address "
                        + "or port.")
            }
        }
    }

    private static func fault(_ resolved: SocketAddress, option: Int32) -> String? {
        let descriptor = socket(resolved.protocol.rawValue, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let isBound = resolved.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0
        return isBound ? nil : String(cString: strerror(errno))
    }
}
