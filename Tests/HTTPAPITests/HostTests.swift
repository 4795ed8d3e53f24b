import AASA
import HTTPAPI
import Testing

/// Typed hosts and their stored form.
@Suite("Typed hosts")
struct HostTests {
    @Test(
        "Unicode and ASCII, upper and lower case are one host",
        arguments: [
            ("münchen.example", "xn--mnchen-3ya.example"), ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example"),
            ("MÜNCHEN.Example", "xn--mnchen-3ya.example"), ("XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"),
            ("mu\u{308}nchen.example", "xn--mnchen-3ya.example"), ("www.example.com", "www.example.com"),
            ("WWW.EXAMPLE.COM", "www.example.com"), ("www.example.com.", "www.example.com"),
            ("münchen.example.", "xn--mnchen-3ya.example"), ("faß.example", "xn--fa-hia.example"),
            ("日本語.example", "xn--wgv71a119e.example"), ("ｗｗｗ．example．com", "www.example.com"),
            ("日本語。example", "xn--wgv71a119e.example"), ("παράδειγμα.δοκιμή", "xn--hxajbheg2az3al.xn--jxalpdlp"),
            // UTS #46 removes the zero-width space.
            ("a\u{200B}b.example", "ab.example"), ("localhost", "localhost"),
        ])
    func ascii(typed: String, stored: String) throws {
        #expect(try Host(typed: typed).description == stored)
    }

    @Test(
        "a text that is not a host is refused with a reason",
        arguments: [
            "", " ", ".", "..", "www", "https://www.example.com", "www.example.com/path", "www.example.com:443",
            "*.example.com", "a..b.example", "-a.example", "a-.example", "a_b.example", "a b.example", "192.0.2.1",
            "[2001:db8::1]", "💩.example", "www.example.com\u{0}", "mün\u{0}chen.example", "www.example.com\n",
            "\u{202E}moc.example", "xn--a.münchen", "ü@example.com", "ü/x.example",
            String(repeating: "a", count: 64) + ".example", String(repeating: "ü", count: 64) + ".example",
            String(repeating: "a.", count: 127) + "example", "münchen.example..", "ـ.example", "xn--a.example",
            "xn--zzzzzzzz.example", "www.XN--0.example", "xn--.example",
            // Converting these would take minutes, because the time grows with the square of the length.
            "a" + String(repeating: "\u{301}\u{316}", count: 250_000) + ".example",
            "xn--" + String(repeating: "a", count: 1_000_000) + "é.example",
        ])
    func refused(typed: String) {
        let error = #expect(throws: UnusableHost.self) { try Host(typed: typed) }
        #expect(error?.code == "invalid_host")
        #expect(error?.detail.isEmpty == false)
    }

    @Test("a host that is too long is refused with its length, before it is converted")
    func tooLong() {
        #expect(throws: UnusableHost.self) { try Host(typed: "é" + String(repeating: "a", count: 251)) }
        let error = #expect(throws: UnusableHost.self) { try Host(typed: String(repeating: "é", count: 1_000)) }
        #expect(error?.detail == "is too long: it has 2000 bytes, and a host can have at most 253 characters")
    }

    @Test(
        "a host with Unicode labels is shown in Unicode",
        arguments: [
            ("xn--mnchen-3ya.example", "münchen.example"), ("www.example.com", "www.example.com"),
            ("xn--wgv71a119e.example", "日本語.example"),
        ])
    func unicode(stored: String, shown: String) throws {
        #expect(try Host(stored).unicode == shown)
    }

    @Test("a host with a malformed ACE label is shown as it is stored")
    func malformed() throws {
        #expect(try Host("xn--0.example").unicode == "xn--0.example")
    }
}
