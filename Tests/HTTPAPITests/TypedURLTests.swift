import HTTPAPI
import Testing

/// Hosts in typed URLs and entitlements.
@Suite("Typed URLs and entitlements")
struct TypedURLTests {
    private static let marks = String(repeating: "\u{301}\u{316}", count: 250_000)

    @Test(
        "a Unicode host becomes ASCII, and nothing else changes",
        arguments: [
            ("https://exämple.com/ä?ö=ü#ß", "https://xn--exmple-cua.com/ä?ö=ü#ß"),
            ("HTTP://EXÄMPLE.com", "HTTP://xn--exmple-cua.com"),
            ("https://ü@exämple.com:443/", "https://ü@xn--exmple-cua.com:443/"),
            ("https://exämple.com?q", "https://xn--exmple-cua.com?q"),
            ("https://日本語。example#f", "https://xn--wgv71a119e.example#f"),
        ])
    func converted(typed: String, ascii: String) { #expect(TypedURL.inASCII(typed) == ascii) }

    @Test(
        "a text without a valid Unicode host does not change",
        arguments: [
            "", "/ä", "?ä", "#://ä.com", "ä", "//exämple.com/", "https:/ä.com", "https:ä.com", "https://", "https:///ä",
            "https://www.example.com/ä", "https://WWW.example.com./", "https://ä:b@www.example.com/",
            "https://💩.example/", "https://exämple..com/", "https://ä/", "/x?u=https://exämple.com/",
            // Reading these by character, or converting them, would take minutes.
            "https:\(Self.marks)//ä.com/", "https://ä\(Self.marks).com/", "https://ä.com\(Self.marks)/",
        ])
    func unchanged(typed: String) { #expect(TypedURL.inASCII(typed) == typed) }

    @Test(
        "an entitlement's domain is converted the same way",
        arguments: [
            ("exämple.com", "xn--exmple-cua.com"), ("*.exämple.com", "*.xn--exmple-cua.com"),
            ("applinks:*.EXÄMPLE.com?mode=developer", "applinks:*.xn--exmple-cua.com?mode=developer"),
            ("*.Example.com", "*.Example.com"), ("*.💩.example", "*.💩.example"), ("*.ä", "*.ä"), ("", ""), ("*.", "*."),
        ])
    func entitlement(typed: String, ascii: String) { #expect(TypedURL.inASCII(entitlement: typed) == ascii) }
}
