internal import Glibc
public import NIOCore

/// The proxies whose `X-Forwarded-Host` and `X-Forwarded-For` are trusted.
public struct ProxyList: Sendable, Hashable {
    private struct Network: Sendable, Hashable {
        let bytes: [UInt8]
        let prefix: Int

        func contains(_ address: [UInt8]) -> Bool {
            guard address.count == bytes.count else { return false }
            for (index, byte) in bytes.enumerated() {
                let bits = min(8, max(0, prefix - index * 8))
                let mask = bits == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
                guard byte & mask == address[index] & mask else { return false }
            }
            return true
        }
    }

    private let networks: [Network]

    /// No proxies.
    public static let none = ProxyList(networks: [])

    private init(networks: [Network]) { self.networks = networks }

    /// Creates a list from IPv4 or IPv6 addresses (`10.0.0.7`) and networks (`10.0.0.0/8`, `fd00::/8`).
    ///
    /// - Returns: The list, or `nil` if a text is not a valid address or network.
    public init?(_ texts: [String]) {
        var networks: [Network] = []
        for text in texts {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let bytes = Self.packed(String(first)) else { return nil }
            guard parts.count == 2 else {
                networks.append(Network(bytes: bytes, prefix: bytes.count * 8))
                continue
            }
            guard let prefix = Int(parts[1]), (0...bytes.count * 8).contains(prefix) else { return nil }
            networks.append(Network(bytes: bytes, prefix: prefix))
        }
        self.networks = networks
    }

    /// Returns true if the list contains the address. An IPv4 address on an IPv6 socket counts as an IPv4 address.
    public func contains(_ address: SocketAddress?) -> Bool {
        guard !networks.isEmpty, let text = address?.ipAddress, let bytes = Self.packed(text) else { return false }
        return contains(bytes)
    }

    private func contains(_ address: [UInt8]) -> Bool { networks.contains { $0.contains(address) } }

    /// A client: its address as text, and its network. That is the IPv4 address, or the first 64 bits of the IPv6
    /// address, because an IPv6 client can have all addresses of such a network. In both cases 16 bytes, as IPv6 writes
    /// them (RFC 4291, section 2.5.5.2). If the address is unknown, the text is that of the peer and the network is
    /// empty.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection.
    ///   - forwardedFor: The field `X-Forwarded-For`. Each proxy adds its peer at the end, so it is read from the end,
    ///     as long as a listed proxy has written the entry.
    public func client(of peer: String, forwardedFor: String?) -> (address: String, network: [UInt8]) {
        guard var client = Self.packed(peer) else { return (peer, []) }
        var address = peer
        if !networks.isEmpty, let forwardedFor {
            for entry in forwardedFor.split(separator: ",").reversed().prefix(Self.maximumProxies) {
                guard contains(client), let next = Self.packed(entry.trimmingPrefix { $0 == " " }) else { break }
                client = next
                address = String(entry.trimmingPrefix { $0 == " " }.prefix { $0 != " " })
            }
        }
        if client.count == 4 { return (address, Self.mapped + client) }
        return (address, client.prefix(8) + [UInt8](repeating: 0, count: 8))
    }

    /// The maximum number of entries of `X-Forwarded-For` that are read.
    private static let maximumProxies = 16

    private static func packed(_ entry: Substring) -> [UInt8]? {
        packed(String(entry.prefix { $0 != " " }))
    }

    /// The 4 or 16 bytes of an address in network order.
    private static func packed(_ text: String) -> [UInt8]? {
        if let v4 = packed(text, family: AF_INET, count: 4) { return v4 }
        guard let v6 = packed(text, family: AF_INET6, count: 16) else { return nil }
        return v6.starts(with: mapped) ? Array(v6.suffix(4)) : v6
    }

    /// The first bytes of an IPv4 address that is written as an IPv6 address.
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    private static func packed(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
