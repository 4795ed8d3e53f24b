import FoundationEssentials
import Testing

@testable import PasswordHashing

@Suite("Hashes of passwords")
struct PasswordHashTests {
    @Test("a hash made by Python's hashlib.scrypt is matched by its password only")
    func otherImplementation() throws {
        // hashlib.scrypt("correct pony", salt=bytes(range(16)), n=2**14, r=8, p=1, dklen=32)
        let hash = try #require(
            PasswordHash(
                text: "$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$EXAxtZH1J4WXNay0pc1URO60bRstQ8YnIgDHmMP8Gmw"))
        #expect(hash.matches("correct pony"))
        #expect(!hash.matches("correct ponz"))
        #expect(!hash.isCurrent)
    }

    @Test("a new hash has its own salt and the current cost, and reads back from its text")
    func roundTrip() throws {
        let hash = PasswordHash(of: "päss wörd 🐎")
        #expect(hash.text.hasPrefix("$scrypt$ln=17,r=8,p=1$"))
        let read = try #require(PasswordHash(text: hash.text))
        #expect(read == hash)
        #expect(read.isCurrent)
        #expect(read.matches("päss wörd 🐎"))
        #expect(PasswordHash(of: "päss wörd 🐎").text != hash.text)
        #expect(!"\(hash)".contains(hash.text.suffix(20)))
    }

    @Test(
        "any other text is refused",
        arguments: [
            "", "x", "$scrypt$", "$bcrypt$ln=17,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=40,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=14,r=1000000,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=14,r=8,p=1$$AAECAwQFBgcICQoLDA0ODw", "$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$AAEC",
            "$scrypt$r=8,ln=14,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$!!!!",
        ])
    func refused(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }

    @Test("without a hash, no password matches, not even an empty one")
    func noHash() async throws {
        #expect(try await !PasswordHasher().matches("", nil, for: UUID()))
    }

    @Test("more callers than can wait are refused, and the others are served")
    func busy() async {
        let hasher = PasswordHasher()
        let limit = PasswordHasher.concurrency + PasswordHasher.maximumWaiting
        let (served, refused) = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<limit + 7 {
                group.addTask {
                    do { return try await !hasher.hash("a long password", for: UUID()).text.isEmpty } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: (0, 0)) { counts, isServed in
                if isServed { counts.0 += 1 } else { counts.1 += 1 }
            }
        }
        #expect(served >= limit)
        #expect(refused >= 1)
        #expect(served + refused == limit + 7)
        #expect(throws: Never.self) { try hasher.requireRoom(for: UUID()) }
    }

    @Test("one client cannot take all places")
    func fairness() async {
        let (hasher, client) = (PasswordHasher(), UUID())
        let served = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 * PasswordHasher.maximumWaiting {
                group.addTask { (try? await hasher.hash("a long password", for: client)) != nil }
            }
            // Meanwhile, another client is served.
            while (try? hasher.requireRoom(for: client)) != nil { await Task.yield() }
            #expect(throws: Never.self) { try hasher.requireRoom(for: UUID()) }
            #expect((try? await hasher.matches("a long password", nil, for: UUID())) == false)
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(served >= PasswordHasher.maximumOfClient)
        #expect(served < 3 * PasswordHasher.maximumWaiting)
        #expect(throws: Never.self) { try hasher.requireRoom(for: client) }
    }
}
