import Glibc
import Hex
import Testing

@testable import Snapshot

@Suite("Keys")
struct SigningKeyTests {
    @Test("RFC 8032 section 7.1, test 2")
    func vector() throws {
        let seed = try #require(
            Hexadecimal.decode("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb".utf8))
        let key = try SigningKey(rawRepresentation: seed)
        let expected =
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        #expect(Hexadecimal.encode(try key.signature(for: [0x72])) == expected)
        #expect(key.verificationKey.isValid(signature: try key.signature(for: [0x72]), for: [0x72]))
        #expect(!key.verificationKey.isValid(signature: try key.signature(for: [0x72]), for: [0x73]))
        #expect(!key.verificationKey.isValid(signature: [], for: [0x72]))
    }

    @Test("base64 gives the same key again, with or without white space around it")
    func base64() throws {
        let key = try SigningKey()
        #expect(try SigningKey(base64: " \(key.base64)\n").verificationKey == key.verificationKey)
        let text = key.verificationKey.base64
        #expect(try VerificationKey(base64: "\n\(text) ") == key.verificationKey)
        #expect(throws: KeyError.malformed) { try VerificationKey(base64: String(text.dropLast(4))) }
        #expect(throws: KeyError.malformed) { try SigningKey(base64: "no key") }
        #expect(throws: KeyError.malformed) { try SigningKey(base64: "") }
    }

    @Test("the ID is the first 8 bytes of the public key's SHA-256")
    func id() throws {
        let key = try SigningKey().verificationKey
        #expect(key.id == String(ContentHash(of: key.rawRepresentation).hex.prefix(16)))
    }

    @Test("neither the description nor reflection shows the secret")
    func secrecy() throws {
        let key = try SigningKey()
        var shown = "\(key) \(String(reflecting: key))"
        dump(key, to: &shown)
        #expect(!shown.contains(key.base64))
        #expect(!shown.contains("rawRepresentation"))
    }

    @Test("a key file is created once, readable only by its owner")
    func made() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/key"
        let key = try SigningKey(loadingOrCreatingAt: path)
        #expect(try SigningKey(loadingOrCreatingAt: path).verificationKey == key.verificationKey)
        #expect(try SigningKey(contentsOf: path).verificationKey == key.verificationKey)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(files(below: directory.path) == ["key"])
    }

    @Test("the first of several lines signs; one invalid line makes the file invalid")
    func lines() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/key"
        let keys = try [SigningKey(), SigningKey()]
        put(Array("\(keys[0].base64)\n\n\(keys[1].base64)".utf8), at: path)
        chmod(path, 0o600)
        #expect(try SigningKey.all(contentsOf: path).map(\.verificationKey) == keys.map(\.verificationKey))
        #expect(try SigningKey(contentsOf: path).verificationKey == keys[0].verificationKey)
        #expect(try SigningKey(loadingOrCreatingAt: path).verificationKey == keys[0].verificationKey)
        for text in ["\(keys[0].base64)\nrubbish\n", "\n", ""] {
            put(Array(text.utf8), at: path)
            #expect(throws: KeyError.malformed) { try SigningKey.all(contentsOf: path) }
        }
    }

    @Test("many starts at the same time end with the same key")
    func race() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/key"
        let keys = try await withThrowingTaskGroup(of: VerificationKey.self) { group in
            for _ in 0..<32 { group.addTask { try SigningKey(loadingOrCreatingAt: path).verificationKey } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(files(below: directory.path) == ["key"])
    }

    @Test("a key file that every user can read, that is missing, or that is invalid is refused")
    func refused() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/key"
        #expect(throws: KeyError.self) { try SigningKey(contentsOf: path) }
        _ = try SigningKey(loadingOrCreatingAt: path)
        chmod(path, 0o644)
        #expect(throws: KeyError.readableByOthers(path: path)) { try SigningKey(contentsOf: path) }
        chmod(path, 0o640)
        _ = try SigningKey(contentsOf: path)
        put(Array("rubbish".utf8), at: path)
        chmod(path, 0o600)
        #expect(throws: KeyError.malformed) { try SigningKey(loadingOrCreatingAt: path) }
    }
}
