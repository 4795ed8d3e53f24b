import Testing

@testable import Snapshot

@Suite("Host names in a manifest")
struct HostNameTests {
    @Test(
        "labels of letters, digits and inner hyphens, joined by dots, are valid",
        arguments: ["a", "localhost", "www.example.com", "1.2.3.4", "xn--mnchen-3ya.example", "a-b.c", "0"])
    func good(name: String) { #expect(HostName.isValid(name.utf8)) }

    @Test(
        "other names are invalid",
        arguments: [
            "", ".", "..", "a.", ".a", "a..b", "-a", "a-", "a-.b", "a.-b", "A", "a_b", "a/b", "a\0b", "a b", "é", "a:1",
            "*.example", "%61",
        ])
    func bad(name: String) { #expect(!HostName.isValid(name.utf8)) }

    @Test("a label has at most 63 bytes and a name 253")
    func lengths() {
        let label = String(repeating: "a", count: 63)
        #expect(HostName.isValid(label.utf8))
        #expect(!HostName.isValid((label + "a").utf8))
        let name = "\(label).\(label).\(label).\(String(repeating: "a", count: 61))"
        #expect(name.utf8.count == 253 && HostName.isValid(name.utf8))
        #expect(!HostName.isValid((name + "a").utf8))
    }
}
