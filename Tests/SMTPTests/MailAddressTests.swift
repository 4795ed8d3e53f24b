import SMTP
import Testing

@Suite("Addresses and servers")
struct MailAddressTests {
    @Test(
        "Ordinary addresses are accepted",
        arguments: ["a@b", "ada.lovelace+x@example.com", "o'neil@xn--bcher-kva.example"])
    func addresses(text: String) {
        #expect(MailAddress(text)?.description == text)
    }

    @Test(
        "An address cannot contain what ends a command or a field",
        arguments: [
            "", "a", "@b", "a@", "a@b@c", "a b@c", "a@b>", "<a@b", "a@b\r\nRCPT TO:<c@d>", "a@b\n", "a@b\0", "ä@b",
            "a@bücher.example",
            "\"a\"@b", "a..b@c", ".a@b", "a,b@c", "a;b@c", "a@[127.0.0.1]",
        ])
    func refusedAddresses(text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test("An address has at most 254 characters")
    func longAddress() {
        #expect(MailAddress(String(repeating: "a", count: 252) + "@b") != nil)
        #expect(MailAddress(String(repeating: "a", count: 253) + "@b") == nil)
    }

    private func server(_ url: String, isPlain: Bool = false) throws -> SMTPServer? {
        SMTPServer(url, isPlain: isPlain, sender: try #require(MailAddress("a@b")), senderName: "")
    }

    @Test("A URL gives the host, the port and the use of TLS")
    func urls() throws {
        let tls = try #require(try server("smtps://smtp.example.com"))
        #expect((tls.host, tls.port, tls.security) == ("smtp.example.com", 465, .tls))
        let startTLS = try #require(try server("smtp://smtp.example.com"))
        #expect((startTLS.port, startTLS.security) == (587, .startTLS))
        let six = try #require(try server("smtp://[::1]:25/", isPlain: true))
        #expect((six.host, six.port, six.security) == ("::1", 25, .none))
    }

    @Test(
        "Other URLs are refused",
        arguments: [
            "smtp.example.com", "http://smtp.example.com", "smtp://", "smtp://a b", "smtp://user@host", "smtp://host/x",
            "smtp://host:0", "smtp://host:70000", "smtp://host\r\n",
        ])
    func refusedURLs(url: String) throws {
        #expect(try server(url) == nil)
    }

    @Test("TLS is only left out on this machine, and not with smtps")
    func plain() throws {
        #expect(try server("smtp://127.0.0.1:25", isPlain: true) != nil)
        #expect(try server("smtp://smtp.example.com", isPlain: true) == nil)
        #expect(try server("smtps://localhost", isPlain: true) == nil)
    }
}
