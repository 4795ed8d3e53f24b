import NIOCore
import Testing

@testable import Serving

@Suite("Proxy list")
struct ProxyListTests {
    @Test(
        "a list contains an address itself or its network",
        arguments: [
            ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.8", false), ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.128/25", "10.0.0.127", false),
            ("10.0.0.128/25", "10.0.0.129", true), ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false),
            ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false), ("::1", "::1", true),
            ("10.0.0.7", "::ffff:10.0.0.7", true), ("::ffff:10.0.0.7", "10.0.0.7", true),
        ])
    func membership(listed: String, address: String, isMember: Bool) throws {
        let list = try #require(ProxyList([listed]))
        #expect(try list.contains(SocketAddress(ipAddress: address, port: 1)) == isMember)
    }

    @Test(
        "other texts are refused",
        arguments: ["", "x", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "fd00::/129", "10.0.0.1:80", "/8"])
    func refused(text: String) { #expect(ProxyList(["10.0.0.1", text]) == nil) }

    @Test("the empty list contains no address, and no list contains a Unix socket")
    func empty() throws {
        #expect(try !ProxyList.none.contains(SocketAddress(ipAddress: "127.0.0.1", port: 1)))
        let all = try #require(ProxyList(["0.0.0.0/0"]))
        #expect(try !all.contains(SocketAddress(unixDomainSocketPath: "/tmp/x")))
        #expect(!all.contains(nil))
    }
}
