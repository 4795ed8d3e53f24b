import Testing

@testable import Serving

@Suite("Addresses of clients")
struct ClientAddressTests {
    private func client(_ peer: String, _ forwardedFor: String?, trusted: [String] = ["10.0.0.0/8", "fd00::1"])
        -> String
    {
        let bytes = ProxyList(trusted)?.client(of: peer, forwardedFor: forwardedFor).network ?? []
        return bytes.count == 16 && bytes[10] == 0xFF
            ? bytes.suffix(4).map(String.init).joined(separator: ".")
            : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }

    @Test(
        "X-Forwarded-For counts only from listed proxies, and is read from the end",
        arguments: [
            ("1.2.3.4", nil, "1.2.3.4"),
            // A client that is not a proxy can send anything.
            ("1.2.3.4", "5.6.7.8", "1.2.3.4"),
            ("10.0.0.1", "5.6.7.8", "5.6.7.8"),
            ("10.0.0.1", nil, "10.0.0.1"),
            ("10.0.0.1", "9.9.9.9, 5.6.7.8", "5.6.7.8"),
            ("10.0.0.1", "9.9.9.9, 5.6.7.8, 10.0.0.2", "5.6.7.8"),
            ("10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"),
            ("10.0.0.1", "5.6.7.8, unknown", "10.0.0.1"),
            ("::ffff:10.0.0.1", "5.6.7.8", "5.6.7.8"),
            ("fd00::1", "5.6.7.8", "5.6.7.8"),
            ("local", "5.6.7.8", ""),
        ] as [(String, String?, String)])
    func forwarded(peer: String, forwardedFor: String?, expected: String) {
        #expect(client(peer, forwardedFor) == expected)
    }

    @Test("an IPv6 client is its network of 64 bits")
    func networks() {
        #expect(client("2001:db8:1:2:3:4:5:6", nil) == client("2001:db8:1:2:ffff::1", nil))
        #expect(client("2001:db8:1:2:3:4:5:6", nil) != client("2001:db8:1:3:3:4:5:6", nil))
        #expect(client("2001:db8:1:2:3:4:5:6", nil) == "20:1:d:b8:0:1:0:2")
        #expect(client("1.2.3.4", "5.6.7.8", trusted: []) == "1.2.3.4")
    }
}
