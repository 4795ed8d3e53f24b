import Fetching
import Testing

@Suite("Special addresses")
struct IPAddressTests {
    @Test(
        "a special address is recognized, in each of its forms",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.170",
            "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.175.48.1", "198.18.0.1",
            "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
            "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1",
            "100:0:0:1::1", "2001::1", "2001:0:7f00:1::f7f7:f7f7", "2001:0:808:808::80ff:fffe", "2001:1::1",
            "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:20::1", "2001:30::1", "2001:db8::1", "2002:7f00:1::",
            "2002:a00:1::1", "2002:c0a8:1::1", "2620:4f:8000::1", "3fff::1", "3fff:fff::1", "5f00::1", "fc00::1",
            "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1", "1fff::1",
        ])
    func special(text: String) throws {
        #expect(try #require(IPAddress(text)).isSpecial)
    }

    @Test(
        "an ordinary public address is accepted, also at the border of a special network",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255",
            "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.1",
            "203.0.114.1", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
            "2001:0:808:808::f7f7:f7f7", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2620:4f:7fff::1",
            "2a00:1450::1", "3ffe::1",
        ])
    func ordinary(text: String) throws {
        #expect(try !#require(IPAddress(text)).isSpecial)
    }

    @Test(
        "only the usual forms of an address are read",
        arguments: ["127.1", "0x7f000001", "1.2.3", "::g", "", "[::1]"])
    func malformed(text: String) { #expect(IPAddress(text) == nil) }

    @Test("an address is printed as it is usually written", arguments: ["192.0.2.1", "2001:db8::1"])
    func printing(text: String) { #expect(IPAddress(text)?.description == text) }
}
