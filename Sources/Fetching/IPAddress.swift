import Glibc

/// An IP address, as its bytes: four for IPv4, sixteen for IPv6.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The bytes in network order.
    public let bytes: [UInt8]

    /// Reads an address as text, such as `192.0.2.1` or `2001:db8::1`. Returns `nil` for any other text.
    public init?(_ text: String) {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: &v6) { Array($0) }
        } else {
            return nil
        }
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The address as text.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "an invalid address" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// True if the address is of this machine: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}

/// A range of addresses: all that start with the same bits.
struct IPNetwork: Sendable {
    private let start: [UInt8]
    private let length: Int

    /// - Parameter text: An address and the number of its fixed bits, such as `10.0.0.0/8`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let address = IPAddress(String(parts[0])), let length = Int(parts[1]),
            (0...address.bytes.count * 8).contains(length)
        else { return nil }
        start = address.bytes
        self.length = length
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == start.count else { return false }
        return zip(address.bytes, start).enumerated().allSatisfy { index, pair in
            let fixed = min(max(length - index * 8, 0), 8)
            return (pair.0 ^ pair.1) >> UInt8(8 - fixed) == 0 || fixed == 0
        }
    }
}
