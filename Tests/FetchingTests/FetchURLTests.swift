import Fetching
import Testing

@Suite("Addresses to fetch")
struct FetchURLTests {
    @Test("https with a name is accepted")
    func accepted() throws {
        let url = try #require(FetchURL("https://Token.Example.com:8443/a/b?c=d"))
        #expect(url.host == "token.example.com")
        #expect(url.port == 8_443)
        #expect(url.path == "/a/b?c=d")
        #expect(url.isSecure)
        #expect(FetchURL("https://example.com")?.path == "")
    }

    @Test(
        "everything else is refused",
        arguments: [
            "http://example.com", "ftp://example.com", "//example.com", "https:/example.com", "https://",
            "https://user@example.com", "https://example.com@evil.com", "https://example.com#fragment",
            "https://example.com\\@evil.com", "https://example.com:0", "https://example.com:65536",
            "https://example.com:", "https://example.com:+1", "https://127.0.0.1", "https://2130706433",
            "https://0x7f.1",
            "https://127.1", "https://[::1]", "https://localhost", "https://intranet", "https://-a.com",
            "https://a..com", "https://a.com.", "https://ex ample.com", "https://example.com/\r\nHost: evil",
            "https://exämple.com", "https://example.com?query", "HTTPS://example.com",
            "https://" + String(repeating: "a", count: 500) + ".com",
        ])
    func refused(text: String) { #expect(FetchURL(text) == nil) }

    @Test("http is for this machine only, if it is allowed")
    func loopback() {
        #expect(FetchURL("http://localhost:1/a", allowsLoopback: true) != nil)
        #expect(FetchURL("http://127.0.0.1:1", allowsLoopback: true) != nil)
        #expect(FetchURL("http://127.0.0.1:1") == nil)
        #expect(FetchURL("http://example.com", allowsLoopback: true) == nil)
        #expect(FetchURL("http://10.0.0.1", allowsLoopback: true) == nil)
    }
}
