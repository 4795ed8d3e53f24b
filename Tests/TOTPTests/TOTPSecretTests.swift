import Testing

@testable import TOTP

@Suite struct TOTPSecretTests {
    /// The secret of the test vectors.
    let known = TOTPSecret(bytes: Array("12345678901234567890".utf8)) ?? TOTPSecret()

    /// RFC 6238, appendix B, the column for SHA-1. A code of 6 digits has the last 6 of its 8.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func `The codes are those of RFC 6238`(seconds: Int64, code: String) {
        #expect(known.step(of: code, at: seconds, after: 0) == seconds / 30)
    }

    /// RFC 4226, appendix D.
    @Test func `The codes of steps are those of RFC 4226`() {
        let codes = (0..<10).map { known.code(at: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    @Test func `A code is accepted one step too early or too late`() {
        let code = known.code(at: 100)
        let accepted = (97...103).filter { known.step(of: code, at: $0 * 30, after: 0) != nil }
        #expect(accepted == [99, 100, 101])
    }

    @Test func `A used code and earlier ones are not accepted again`() {
        let (earlier, used, next) = (known.code(at: 99), known.code(at: 100), known.code(at: 101))
        #expect(known.step(of: used, at: 3_000, after: 99) == 100)
        #expect(known.step(of: used, at: 3_000, after: 100) == nil)
        #expect(known.step(of: earlier, at: 3_000, after: 100) == nil)
        #expect(known.step(of: next, at: 3_000, after: 100) == 101)
    }

    @Test func `Spaces in a code do not count, and other texts are refused`() {
        #expect(known.step(of: "287 082", at: 59, after: 0) == 1)
        for wrong in ["", "28708", "2870820", "287083", "２８７０８２", "-87082"] {
            #expect(known.step(of: wrong, at: 59, after: 0) == nil, "\(wrong)")
        }
    }

    @Test func `The address has the escaped issuer, account and secret`() {
        #expect(known.base32 == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            known.uri(issuer: "Acme & Söhne", account: "a+b@acme.example")
                == "otpauth://totp/Acme%20%26%20S%C3%B6hne:a%2Bb%40acme.example"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme%20%26%20S%C3%B6hne")
    }

    @Test func `Secrets are random and have 20 bytes`() {
        #expect(Set((0..<100).map { _ in TOTPSecret() }).count == 100)
        #expect(TOTPSecret().bytes.count == 20 && TOTPSecret().base32.count == 32)
        #expect(TOTPSecret(bytes: [1, 2]) == nil)
    }
}

@Suite struct QRCodeTests {
    @Test func `A code has its margin and its three corner patterns`() throws {
        let code = try #require(QRCode("otpauth://totp/a"))
        #expect(code.size == 25 + 8)
        // The outer corners of the patterns, and a module of the margin.
        for corner in ["M4 4h1", "M28 4h1", "M4 28h1"] { #expect(code.path.contains(corner)) }
        #expect(!code.path.contains("M28 28h1v1h-1zM3 ") && !code.path.contains("M3 4h1"))
    }

    @Test func `A text that is too long has no code`() {
        #expect(QRCode(String(repeating: "a", count: 3_000)) == nil)
        #expect(QRCode("") == nil)
    }
}
