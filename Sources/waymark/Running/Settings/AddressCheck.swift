import Glibc
import NIOCore

extension Address {
    /// Whether both cannot be listened at: one port, and one host or any. Port 0 is another each time.
    fileprivate func overlaps(_ other: Address) -> Bool {
        let isAny = [host, other.host].contains { ["0.0.0.0", "::"].contains($0) }
        return port != 0 && port == other.port && (isAny || host.lowercased() == other.host.lowercased())
    }
}

/// Says before anything is started that an address cannot be listened at, and which setting names it.
///
/// The address is bound and let go, never listened at: an edge that an earlier process left running may still serve
/// there, and the kernel would give a second listener part of its connections.
enum AddressCheck {
    /// - Parameter edges: the other edges of the own state folder: one of them may be there, and will be taken over. An
    ///   edge of another installation would share the port with this one, and each would get a part of the requests.
    static func requireFree(_ address: Address, _ setting: String, besides edges: FolderEdges? = nil) throws {
        func refuse(_ fault: String) -> Settings.Invalid {
            Settings.Invalid(
                name: setting,
                reason: "is \(address), where nothing can be opened: \(fault). Stop what listens there, or set another."
            )
        }
        guard let resolved = try? SocketAddress.makeAddressResolvingHost(address.host, port: address.port) else {
            throw refuse("there is no such host")
        }
        guard let fault = fault(resolved, option: SO_REUSEADDR) else { return }
        guard let edges, self.fault(resolved, option: SO_REUSEPORT) == nil else { throw refuse(fault) }
        guard Listeners.all(at: resolved, belongTo: edges.processes) else {
            throw refuse("it is in use by another process, which is no edge of \(edges.folder)")
        }
    }

    /// Says which settings name one address: the second listener would fail, or share the first one's connections.
    static func requireDifferent(_ addresses: [(name: String, address: Address)]) throws {
        for (place, second) in addresses.enumerated() {
            if let first = addresses[..<place].first(where: { $0.address.overlaps(second.address) }) {
                throw Settings.Invalid(
                    name: second.name,
                    reason: "is \(second.address), where \(first.name) (\(first.address)) listens too. Give each an "
                        + "address or a port of its own.")
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
