import Testing

@testable import HTTPAPI

@Suite("Cursors")
struct CursorTests {
    @Test(
        "a cursor returns its key and needs no escaping in a URL",
        arguments: ["", "a", "ab", "abc", "ABCDE12345.com.example", "www.example.com", "münchen", "~~~???>>>", "日本"])
    func roundTrip(key: String) {
        let text = Cursor.text(of: key, in: "/v1/domains")
        #expect(Cursor.key(of: text, in: "/v1/domains") == key)
        #expect(Cursor.key(of: text, in: "/v1/apps") == nil)
        #expect(Cursor.key(of: Cursor.text(of: key)) == key)
        #expect(
            text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            })
    }

    @Test(
        "a text that no list returned is not a cursor",
        arguments: ["!", "a", "äöü", "YQ=a", "____", "AAAA", String(repeating: "YWFh", count: 257)])
    func refused(text: String) { #expect(Cursor.key(of: text) == nil) }
}
