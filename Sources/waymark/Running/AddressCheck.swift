import Glibc
import NIOCore

/// Says before anything is started that an address cannot be listened at, and which setting names it.
///
/// The address is bound and let go, never listened at: an edge that an earlier process left running may still serve
/// there, and the kernel would give a second listener part of its connections.
enum AddressCheck {
    /// - Parameter isShared: such an edge may be there: it will be taken over.
    static func requireFree(_ address: Address, _ setting: String, isShared: Bool = false) throws {
        if let fault = fault(address, option: isShared ? SO_REUSEPORT : SO_REUSEADDR) {
            throw Settings.Invalid(
                name: setting,
                reason: "is \(address), where nothing can be opened: \(fault). Stop what listens there, or set another."
            )
        }
    }

    private static func fault(_ address: Address, option: Int32) -> String? {
        guard let resolved = try? SocketAddress.makeAddressResolvingHost(address.host, port: address.port) else {
            return "there is no such host"
        }
        let descriptor = socket(resolved.protocol.rawValue, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let isBound = resolved.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0
        return isBound ? nil : String(cString: strerror(errno))
    }
}
