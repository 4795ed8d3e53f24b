import Testing

@testable import ObjectStore

@Suite("Bucket addresses")
struct BucketAddressTests {
    private func address(_ endpoint: String, _ style: BucketAddress.Style = .path) -> BucketAddress? {
        BucketAddress(endpoint: endpoint, region: "r", bucket: "links", style: style)
    }

    @Test("the bucket is in the path or in the host")
    func styles() throws {
        let path = try #require(address("http://127.0.0.1:9000"))
        #expect(path.url(path.path("a b/é"), query: "x=1") == "http://127.0.0.1:9000/links/a%20b/%C3%A9?x=1")
        let host = try #require(address("https://s3.example.net/", .virtualHost))
        #expect(host.url(host.path("k"), query: "") == "https://links.s3.example.net/k")
        #expect(host.host == "links.s3.example.net")
    }

    @Test(
        "the virtual host style needs a host name, and over https a bucket name without a dot",
        arguments: [
            ("https://s3.example.net", "links", true), ("http://s3.example.net:9000", "my.links", true),
            ("https://s3.example.net", "my.links", false), ("http://127.0.0.1:9000", "links", false),
            ("http://[::1]:9000", "links", false),
        ])
    func room(endpoint: String, bucket: String, isUsable: Bool) throws {
        for (style, expected) in [(BucketAddress.Style.virtualHost, isUsable), (.path, true)] {
            let address = BucketAddress(endpoint: endpoint, region: "r", bucket: bucket, style: style)
            #expect(try #require(address).isUsable == expected)
        }
    }

    @Test("the default port is omitted, as in the signed Host header")
    func usualPort() {
        #expect(address("https://s3.example.net:443")?.host == "s3.example.net")
        #expect(address("http://s3.example.net:443")?.host == "s3.example.net:443")
    }

    @Test(
        "an endpoint has a scheme and a host and nothing else",
        arguments: [
            "", "s3.example.net", "ftp://s3.example.net", "https://", "https://a/b", "https://u@a", "https://a?b",
            "http://127.0.0.1:99999", "http://a:0", "http://a:1:2", "http://:80", "http://a:", "http://[::1",
            "http://::1",
        ])
    func refused(endpoint: String) {
        #expect(address(endpoint) == nil)
    }

    @Test(
        "a bucket name that is not valid in a URL is refused",
        arguments: ["ab", "Links", "a/b", "a b", "a?b", "...", "-ab", "ab."])
    func names(name: String) {
        #expect(BucketAddress(endpoint: "https://a", region: "r", bucket: name, style: .path) == nil)
    }

    @Test("a region is a single word", arguments: ["", "eu west", "eu/west"])
    func regions(name: String) {
        #expect(BucketAddress(endpoint: "https://a", region: name, bucket: "links", style: .path) == nil)
    }
}
