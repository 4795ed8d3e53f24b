import Foundation
import OpenIDConnect
import Testing

@Suite("ID tokens")
struct IDTokenTests {
    static let header = #"{"alg":"RS256","kid":"a"}"#
    static let payload = #"{"iss":"https://a.example","aud":"x","exp":1000,"nbf":500,"iat":500}"#

    private func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private func token(_ header: String = Self.header, _ payload: String = Self.payload) -> String {
        "\(encoded(header)).\(encoded(payload)).AAAA"
    }

    @Test(
        "a malformed token is refused, and the process survives",
        arguments: [
            #"{"iss":"i","aud":[1],"exp":1}"#, #"{"iss":"i","aud":{},"exp":1}"#, #"{"iss":"i","exp":1}"#,
            #"{"aud":"x","exp":1}"#, #"{"iss":["i"],"aud":"x","exp":1}"#, #"{"iss":"i","aud":"x"}"#,
            #"{"iss":"i","aud":"x","exp":"1"}"#, #"{"iss":"i","aud":"x","exp":1e999}"#,
            #"{"iss":"i","aud":"x","exp":-1}"#, #"{"iss":"i","aud":"x","exp":1,"exp":2}"#,
            #"{"iss":"i","aud":"x","exp":1,"nbf":"soon"}"#, "[]", "null", "", "{",
            #"{"iss":"i","aud":["a","b","c","d","e","f","g","h","i","j","k"],"exp":1}"#,
            String(repeating: "[", count: 5_000),
        ])
    func malformedPayload(payload: String) {
        #expect(throws: TokenError.self) { try IDToken(parsing: token(Self.header, payload)) }
    }

    @Test(
        "a header with another algorithm, without a key or with critical extensions is refused",
        arguments: [
            #"{"alg":"none","kid":"a"}"#, #"{"alg":"HS256","kid":"a"}"#, #"{"alg":"RS1","kid":"a"}"#,
            #"{"alg":"rs256","kid":"a"}"#, #"{"kid":"a"}"#, #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":""}"#,
            #"{"alg":"RS256","kid":7}"#, #"{"alg":"RS256","kid":"a","crit":["b64"],"b64":false}"#,
            #"{"alg":"RS256","kid":"a","crit":[]}"#, #"{"alg":"none","alg":"RS256","kid":"a"}"#,
        ])
    func header(header: String) {
        #expect(throws: TokenError.self) { try IDToken(parsing: token(header)) }
    }

    @Test(
        "a text that is no JWT is refused",
        arguments: [
            "", ".", "..", "...", "a.b.c", "a.b", "e30.e30.e30", "e30=.e30.AAAA", "\0", "ä.ö.ü",
            String(repeating: "a", count: 16_385),
        ])
    func noToken(text: String) {
        #expect(throws: TokenError.self) { try IDToken(parsing: text) }
    }

    @Test("a signature or payload with unused bits that are not zero is refused, so each token has one text")
    func canonical() throws {
        #expect(throws: Never.self) { try IDToken(parsing: "\(encoded(Self.header)).\(encoded(Self.payload)).AA") }
        #expect(throws: TokenError.self) { try IDToken(parsing: "\(encoded(Self.header)).\(encoded(Self.payload)).AB") }
    }

    @Test("an empty audience matches nothing")
    func emptyAudience() throws {
        let token = try IDToken(parsing: token(Self.header, #"{"iss":"i","aud":[],"exp":1000}"#))
        #expect(throws: TokenError.wrongAudience) { try token.check(issuer: "i", audience: "", now: 1_000) }
    }

    @Test("issuer and audience must have the same bytes")
    func issuerAndAudience() throws {
        let token = try IDToken(parsing: token())
        #expect(throws: Never.self) { try token.check(issuer: "https://a.example", audience: "x", now: 900) }
        #expect(throws: TokenError.wrongIssuer) {
            try token.check(issuer: "https://a.example/", audience: "x", now: 900)
        }
        #expect(throws: TokenError.wrongAudience) {
            try token.check(issuer: "https://a.example", audience: "X", now: 900)
        }
    }

    @Test("the clocks may differ by a minute")
    func times() throws {
        let token = try IDToken(parsing: token())
        for (now, error): (Double, TokenError?) in [
            (439, .early), (440, nil), (1_000, nil), (1_059, nil), (1_060, .expired), (1e9, .expired),
        ] {
            if let error {
                #expect(throws: error) { try token.checkTimes(now: now) }
            } else {
                #expect(throws: Never.self) { try token.checkTimes(now: now) }
            }
        }
        let eternal = try IDToken(parsing: self.token(Self.header, #"{"iss":"i","aud":"x","exp":1e15}"#))
        #expect(throws: TokenError.longLived) { try eternal.checkTimes(now: 1_000) }
    }

    @Test("the fingerprint depends on issuer and jti, or on the signed part")
    func fingerprint() throws {
        func fingerprint(_ payload: String, signature: String = "AAAA") throws -> [UInt8] {
            try IDToken(parsing: "\(encoded(Self.header)).\(encoded(payload)).\(signature)").fingerprint
        }
        let first = try fingerprint(#"{"iss":"i","aud":"x","exp":1,"jti":"1"}"#)
        #expect(try fingerprint(#"{"iss":"i","aud":"y","exp":2,"jti":"1"}"#) == first)
        #expect(try fingerprint(#"{"iss":"j","aud":"x","exp":1,"jti":"1"}"#) != first)
        #expect(try fingerprint(#"{"iss":"i","aud":"x","exp":1,"jti":"2"}"#) != first)
        let plain = try fingerprint(Self.payload)
        #expect(try fingerprint(Self.payload, signature: "BBBB") == plain)
        #expect(try fingerprint(Self.payload + " ") != plain)
    }
}
