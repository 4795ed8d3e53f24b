import Storage
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("a secret is read back from its text, a prefix and 40 characters")
    func roundTrip() throws {
        for prefix in ["", Secret.tokenPrefix] {
            for _ in 0..<50 {
                let secret = Secret(prefix: prefix)
                #expect(secret.text.hasPrefix(prefix))
                #expect(secret.text.utf8.count == prefix.utf8.count + 40)
                let read = try #require(Secret(secret.text, prefix: prefix))
                #expect(read.text == secret.text)
                #expect(read.sha256 == digest(Array(secret.text.utf8)))
            }
        }
    }

    @Test("a change of any one character is noticed before a look-up")
    func mistyped() throws {
        let text = Array(Secret(prefix: Secret.tokenPrefix).text)
        for place in text.indices {
            for wrong in ["a", "2", "z", "A", "0", "ä"] as [Character] where text[place] != wrong {
                var changed = text
                changed[place] = wrong
                #expect(Secret(String(changed), prefix: Secret.tokenPrefix) == nil, "place \(place)")
            }
        }
    }

    @Test("a secret that is cut, extended or of another kind is invalid")
    func cut() {
        let text = Secret(prefix: Secret.tokenPrefix).text
        #expect(Secret(String(text.dropLast()), prefix: Secret.tokenPrefix) == nil)
        #expect(Secret(text + "a", prefix: Secret.tokenPrefix) == nil)
        #expect(Secret("", prefix: Secret.tokenPrefix) == nil)
        #expect(Secret("", prefix: "") == nil)
        #expect(Secret(String(text.dropFirst(3)), prefix: "") == nil, "a token without its prefix is no session")
        #expect(Secret(Secret(prefix: "").text, prefix: Secret.tokenPrefix) == nil)
        #expect(Secret(Secret.tokenPrefix + String(repeating: "a", count: 40), prefix: Secret.tokenPrefix) == nil)
    }

    @Test("secrets are unique, and all characters of the alphabet occur at every position")
    func random() {
        let texts = (0..<2_000).map { _ in Array(Secret(prefix: "").text) }
        #expect(Set(texts).count == texts.count)
        for place in 0..<40 { #expect(Set(texts.map { $0[place] }).count == 32, "place \(place)") }
    }
}
