import FoundationEssentials
import Hex
import Testing

@testable import ObjectStore

@Suite("Signatures")
struct RequestSignerTests {
    /// The examples from AWS's page "Signature Calculations for the Authorization Header" (sig-v4-header-based-auth).
    private let signer = RequestSigner(
        credentials: Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private let host = ("Host", "examplebucket.s3.amazonaws.com")
    private let midnight = Date(timeIntervalSince1970: 1_369_353_600)

    private func signature(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
        body: String = ""
    ) throws -> String {
        let signed = signer.signed(
            method: method, path: path, query: query, headers: headers + [host], body: Array(body.utf8), at: midnight)
        let authorization = try #require(signed.last { $0.0 == "Authorization" }?.1)
        return try #require(authorization.split(separator: "Signature=").last.map(String.init))
    }

    @Test("GET with a range")
    func range() throws {
        let signature = try signature("GET", "/test.txt", headers: [("Range", "bytes=0-9")])
        #expect(signature == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("PUT with a body, an encoded character, and further headers")
    func put() throws {
        let headers = [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
        let path = "/" + PercentEncoding.encode("test$file.text", keepingSlashes: true)
        let signature = try signature("PUT", path, headers: headers, body: "Welcome to Amazon S3.")
        #expect(signature == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("GET with a parameter without a value")
    func emptyParameter() throws {
        let signature = try signature("GET", "/", query: [("lifecycle", "")])
        #expect(signature == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test("GET with parameters, signed in sorted order")
    func parameters() throws {
        let signature = try signature("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
        #expect(signature == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    /// AWS's rule for `UriEncode()`, on the same page.
    @Test("letters, digits, -, ., _ and ~ stay as they are, and every other byte is encoded in upper case")
    func unreserved() {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        #expect(PercentEncoding.encode(unreserved) == unreserved)
        for byte in UInt8(0)..<128 where !unreserved.utf8.contains(byte) {
            let digits = String(byte, radix: 16, uppercase: true)
            let encoded = PercentEncoding.encode(String(decoding: [byte], as: UTF8.self))
            #expect(encoded == "%" + (digits.count == 1 ? "0" : "") + digits)
        }
        #expect(PercentEncoding.encode("é") == "%C3%A9")
        #expect(PercentEncoding.encode("~/+", keepingSlashes: true) == "~/%2B")
        #expect(RequestSigner.canonicalQuery([("prefix", "~a/b")]) == "prefix=~a%2Fb")
    }

    @Test("a session token is sent and signed")
    func sessionToken() throws {
        let credentials = Credentials(accessKeyID: "ID", secretAccessKey: "hidden", sessionToken: "token")
        let signed = RequestSigner(credentials: credentials, region: "eu-central-1").signed(
            method: "GET", path: "/", query: [], headers: [host], body: [], at: midnight)
        #expect(signed.contains { $0 == ("x-amz-security-token", "token") })
        let authorization = try #require(signed.last?.1)
        #expect(authorization.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
    }

    @Test("credentials do not print")
    func credentials() {
        let credentials = Credentials(accessKeyID: "ID", secretAccessKey: "hidden", sessionToken: "token")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("hidden") && !text.contains("token"))
        }
    }
}
