/// Addresses that no request may reach. Otherwise a customer could use Waymark to ask the operator's own network
/// (server-side request forgery).
///
/// The tables are the IANA IPv4 and IPv6 Special-Purpose Address Registries
/// (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry), with multicast. They
/// include the few networks that are globally reachable, because no website uses them.
extension IPAddress {
    private static let specialIPv4 = networks(
        """
        0.0.0.0/8         this network
        10.0.0.0/8        private use
        100.64.0.0/10     shared address space
        127.0.0.0/8       loopback
        169.254.0.0/16    link local, and the metadata services of clouds
        172.16.0.0/12     private use
        192.0.0.0/24      IETF protocol assignments
        192.0.2.0/24      documentation
        192.31.196.0/24   AS112-v4
        192.52.193.0/24   AMT
        192.88.99.0/24    6to4 relay anycast, deprecated
        192.168.0.0/16    private use
        192.175.48.0/24   direct delegation AS112 service
        198.18.0.0/15     benchmarking
        198.51.100.0/24   documentation
        203.0.113.0/24    documentation
        224.0.0.0/4       multicast
        240.0.0.0/4       reserved, and limited broadcast
        """)

    /// Networks inside 2000::/3. All other IPv6 addresses are special, because only 2000::/3 is global unicast
    /// (https://www.iana.org/assignments/ipv6-address-space).
    private static let specialIPv6 = networks(
        """
        2001::/23           IETF protocol assignments, such as Teredo, benchmarking and ORCHIDv2
        2001:db8::/32       documentation
        2002::/16           6to4
        2620:4f:8000::/48   direct delegation AS112 service
        3fff::/20           documentation
        """)

    private static let globalUnicast = networks("2000::/3   global unicast")
    private static let mapped = networks("::ffff:0:0/96   IPv4-mapped")
    private static let nat64 = networks("64:ff9b::/96   IPv4-IPv6 translation")
    private static let sixToFour = networks("2002::/16   6to4")
    private static let teredo = networks("2001::/32   Teredo")

    private static func networks(_ table: String) -> [IPNetwork] {
        table.split(separator: "\n").compactMap { IPNetwork($0.prefix { $0 != " " }) }
    }

    private func isIn(_ networks: [IPNetwork]) -> Bool { networks.contains { $0.contains(self) } }

    /// True if the address is not an ordinary public address. An address that contains IPv4 addresses is judged by
    /// them, because a gateway may send the request there.
    public var isSpecial: Bool {
        guard bytes.count == 16 else { return isIn(Self.specialIPv4) }
        if isIn(Self.mapped) || isIn(Self.nat64) { return embedded(at: 12).isSpecial }
        if isIn(Self.sixToFour) { return embedded(at: 2).isSpecial }
        if isIn(Self.teredo) {
            // The server's address, and the client's with its bits inverted (RFC 4380, section 4).
            return embedded(at: 4).isSpecial || IPAddress(bytes: bytes[12..<16].map { ~$0 }).isSpecial
        }
        return !isIn(Self.globalUnicast) || isIn(Self.specialIPv6)
    }

    private func embedded(at start: Int) -> IPAddress { IPAddress(bytes: Array(bytes[start..<start + 4])) }
}
