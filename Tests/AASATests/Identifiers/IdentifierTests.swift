import AASA
import Testing

@Suite struct IdentifierTests {
    @Test("an app ID is a prefix of ten capital letters and digits, a period, a bundle ID")
    func appID() throws {
        let app = try AppID("ABCDE12345.com.example.My-App2")
        #expect(app.prefix.rawValue == "ABCDE12345")
        #expect(app.bundleID.rawValue == "com.example.My-App2")
        #expect(app.description == "ABCDE12345.com.example.My-App2")
        #expect(try AppID(prefix: app.prefix, bundleID: app.bundleID) == app)
    }

    @Test(
        "the error for an invalid app ID names the fault",
        arguments: [
            ("", "empty"), ("ABCDE12345", "no period"), ("com.example.app", "3 characters instead of 10"),
            ("abcde12345.com.example", "write capital letters"), ("ABCDE123456.com.example", "11 characters"),
            ("ABCDE12345.", "bundle ID (after the first period) that is empty"),
            ("ABCDE12345.com.ex_ample", "contains \"_\""), ("ABCDE12345.com.*", "contains \"*\""),
            ("ABCDE12345.com.exämple", "contains \"ä\""),
            ("ABCDE12345.\(String(repeating: "a", count: 245))", "256 characters"),
        ])
    func notAppID(text: String, words: String) throws {
        let error = try #require(throws: InvalidAppID.self) { try AppID(text) }
        #expect(error.code == "invalid_app_id")
        #expect(error.detail.contains(words), "\(error.detail)")
    }

    @Test("an app ID has at most 255 characters")
    func longest() throws {
        #expect(try AppID("ABCDE12345.\(String(repeating: "a", count: 244))").rawValue.count == 255)
    }

    @Test(
        "a host is stored in lower case, without a final period",
        arguments: [
            ("www.example.com", "www.example.com"), ("Example.COM", "example.com"), ("example.com.", "example.com"),
            ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example"), ("localhost", "localhost"), ("a-b.c1", "a-b.c1"),
            ("1.example", "1.example"),
            ("\(String(repeating: "a", count: 63)).example", "\(String(repeating: "a", count: 63)).example"),
        ])
    func host(text: String, name: String) throws { #expect(try Host(text).rawValue == name) }

    @Test(
        "the error for an invalid host names the fault",
        arguments: [
            ("", "empty"), (".", "empty label"), ("example", "only one label"), ("example.com:443", "port"),
            ("https://example.com", "port"),
            ("example.com/a", "\"/\""), ("*.example.com", "wildcard"), ("a_b.example", "underscore"),
            ("münchen.example", "punycode"),
            ("a..b", "empty label"), (".example.com", "empty label"), ("-a.example", "begins or ends with -"),
            ("a-.example", "begins or ends with -"), ("192.168.0.1", "IP address"),
            ("[::1]", "which host names cannot contain"),
            ("a.example\n", "white space"), ("a b.example", "white space"), ("example.com..", "empty label"),
            ("\(String(repeating: "a", count: 64)).example", "64 characters"),
            ("\(Array(repeating: "abcdefg", count: 32).joined(separator: ".")).example", "at most 253"),
            ("www.example.0x1", "number"),
        ])
    func notHost(text: String, words: String) throws {
        let error = try #require(throws: InvalidHost.self) { try Host(text) }
        #expect(error.code == "invalid_host")
        #expect(error.detail.contains(words), "\(error.detail)")
    }
}
