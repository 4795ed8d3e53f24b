import Crypto
import Fetching
import Foundation
import NIOHTTP1
import OpenIDConnect
import Synchronization
import TestSupport
import Testing

/// The documents of an issuer. The tests change them.
private final class Documents: Sendable {
    let key = P256.Signing.PrivateKey()
    let keys: Mutex<String>
    /// The issuer that the discovery document names instead of the right one.
    let otherName = Mutex<String?>(nil)
    let base = Mutex("")

    init() {
        keys = Mutex(Documents.entry(of: key, id: "a"))
    }

    func answer(_ path: String) -> ScriptedServer.Script {
        let base = base.withLock { $0 }
        let keys = keys.withLock { $0 }
        if path == "/keys" { return .answer(200, body: Array("{\"keys\":[\(keys)]}".utf8)) }
        let name = otherName.withLock { $0 } ?? base
        return .answer(200, body: Array(#"{"issuer":"\#(name)","jwks_uri":"\#(base)/keys"}"#.utf8))
    }

    static func entry(
        of key: P256.Signing.PrivateKey, id: String, more: String = #","alg":"ES256","use":"sig""#
    ) -> String {
        let raw = key.publicKey.rawRepresentation
        let point = #""x":"\#(encoded(raw.prefix(32)))","y":"\#(encoded(raw.suffix(32)))""#
        return #"{"kty":"EC","crv":"P-256","kid":"\#(id)",\#(point)\#(more)}"#
    }

    func token(id: String, by other: P256.Signing.PrivateKey? = nil, algorithm: String = "ES256") throws -> IDToken {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(id)"}"#
        let payload = #"{"iss":"\#(base.withLock { $0 })","aud":"x","exp":1}"#
        let signed = Documents.encoded(Data(header.utf8)) + "." + Documents.encoded(Data(payload.utf8))
        let signature = try (other ?? key).signature(for: Data(signed.utf8)).rawRepresentation
        return try IDToken(parsing: signed + "." + Documents.encoded(signature))
    }

    private static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

@Suite("Keys of issuers")
struct IssuerKeysTests {
    private func withIssuer(
        _ change: (inout IssuerKeys.Limits) -> Void = { _ in },
        _ body: (Documents, ScriptedServer, IssuerKeys, FetchURL) async throws -> Void
    ) async throws {
        let documents = Documents()
        let server = try await ScriptedServer { documents.answer($0.uri) }
        documents.base.withLock { $0 = server.baseURL }
        var limits = IssuerKeys.Limits()
        change(&limits)
        let keys = IssuerKeys(client: try GuardedClient(allowsLoopback: true), limits: limits)
        try await body(documents, server, keys, try #require(FetchURL(server.baseURL, allowsLoopback: true)))
        try await server.close()
    }

    @Test("many callers share one fetch, and the keys stay in memory")
    func shared() async throws {
        try await withIssuer { documents, server, keys, url in
            let token = try documents.token(id: "a")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { try await keys.verify(token, from: url, for: "acme") } }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test("a rotated key is fetched, but unknown keys cause at most one fetch per interval")
    func rotation() async throws {
        try await withIssuer({ $0.interval = .milliseconds(500) }) { documents, server, keys, url in
            try await keys.verify(documents.token(id: "a"), from: url, for: "acme")
            for _ in 0..<10 {
                await #expect(throws: TokenError.unknownKey) {
                    try await keys.verify(documents.token(id: "b"), from: url, for: "acme")
                }
            }
            #expect(server.requests.count == 2)
            documents.keys.withLock { $0 = Documents.entry(of: documents.key, id: "b") }
            try await Task.sleep(for: .milliseconds(600))
            try await keys.verify(documents.token(id: "b"), from: url, for: "acme")
            #expect(server.requests.count == 4)
        }
    }

    @Test("keys of other kinds beside a good one are skipped")
    func others() async throws {
        try await withIssuer { documents, _, keys, url in
            let strange = [
                #"{"kty":"AKP","alg":"ML-DSA-65","kid":"p","pub":"AAAA"}"#, #"{"kty":"oct","kid":"o","k":"AAAA"}"#,
                #"{"kty":"EC","crv":"secp256k1","kid":"k","x":"AAAA","y":"AAAA"}"#, #"{"kid":"n"}"#, "{}", "7",
                #"{"kty":"RSA","alg":"RS256","kid":"short","n":"AQAB","e":"AQAB"}"#,
                #"{"kty":"EC","crv":"P-256","kid":"bad","alg":"ES256","x":"\#(String(repeating: "A", count: 43))","y":"\#(String(repeating: "A", count: 43))"}"#,
                Documents.entry(of: documents.key, id: "encryption", more: #","use":"enc""#),
            ]
            documents.keys.withLock { $0 = (strange + [$0]).joined(separator: ",") }
            try await keys.verify(documents.token(id: "a"), from: url, for: "acme")
            for id in ["short", "bad", "encryption"] {
                await #expect(throws: TokenError.unknownKey) {
                    try await keys.verify(documents.token(id: id), from: url, for: "acme")
                }
            }
        }
    }

    @Test("a key without alg has the algorithm of its type, whatever a token's header says")
    func withoutAlgorithm() async throws {
        try await withIssuer { documents, _, keys, url in
            documents.keys.withLock { $0 = Documents.entry(of: documents.key, id: "a", more: "") }
            await #expect(throws: TokenError.wrongAlgorithm) {
                try await keys.verify(documents.token(id: "a", algorithm: "RS256"), from: url, for: "acme")
            }
            try await keys.verify(documents.token(id: "a"), from: url, for: "acme")
        }
    }

    @Test("the signature of another key is refused")
    func signature() async throws {
        try await withIssuer { documents, _, keys, url in
            let token = try documents.token(id: "a", by: P256.Signing.PrivateKey())
            await #expect(throws: TokenError.wrongSignature) { try await keys.verify(token, from: url, for: "acme") }
        }
    }

    @Test("a discovery document that names another issuer is refused, and not asked again within the pause")
    func otherIssuer() async throws {
        try await withIssuer { documents, server, keys, url in
            for name in [server.baseURL + "/", "https://accounts.example.com"] {
                documents.otherName.withLock { $0 = name }
                await #expect(throws: IssuerError.self) {
                    try await keys.verify(documents.token(id: "a"), from: url, for: "acme")
                }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("while an issuer fails, its last keys stay in use")
    func failing() async throws {
        try await withIssuer({ $0.interval = .zero }) { documents, _, keys, url in
            try await keys.verify(documents.token(id: "a"), from: url, for: "acme")
            documents.otherName.withLock { $0 = "https://accounts.example.com" }
            await #expect(throws: IssuerError.self) {
                try await keys.verify(documents.token(id: "b"), from: url, for: "acme")
            }
            try await keys.verify(documents.token(id: "a"), from: url, for: "acme")
        }
    }
}
