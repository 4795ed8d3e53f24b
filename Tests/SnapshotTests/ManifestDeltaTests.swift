import Testing

@testable import Snapshot

@Suite("Manifest delta")
struct ManifestDeltaTests {
    let key: SigningKey

    init() throws { key = try SigningKey() }

    /// Hosts with similar names that sort in different ways.
    static let hosts = ["a", "a-a", "a.a", "a0", "aa", "b", "b-0", "m", "x--y", "z", "zz.a"].map { "\($0).example" }

    /// A manifest with some of the hosts, selected by the bits of a number.
    private func manifest(_ bits: Int, activation: Int64, base: Manifest? = nil) throws -> Manifest {
        let entries = Self.hosts.indices.filter { bits >> $0 & 1 == 1 }.map { index in
            let same = base?.entry(of: Self.hosts[index])
            let isSame = (bits >> (index + 3)) & 1 == 1
            return isSame
                ? same ?? entry(Self.hosts[index], activation: activation)
                : entry(Self.hosts[index], activation: activation, version: 2, file: index)
        }
        return try Manifest(activation: activation, entries: entries)
    }

    private func changes(from old: Manifest, to new: Manifest) -> [ManifestChange] {
        var changes: [ManifestChange] = []
        new.forEachDifference(from: old) { old, new in
            if let new {
                changes.append(.live(new))
            } else if let old {
                changes.append(.removed(host: old.host, activation: 9))
            }
        }
        return changes
    }

    @Test("the delta between any two manifests leads from one to the other, including the signature")
    func anyTwo() throws {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let old = try manifest(Int.random(in: 0..<(1 << 14), using: &numbers), activation: 3)
            let new = try manifest(Int.random(in: 0..<(1 << 14), using: &numbers), activation: 5, base: old)
            let signed = try new.signing(by: key)
            let changes = changes(from: old, to: new)
            let expected = Set(old.entries).symmetricDifference(new.entries).map(\.host)
            #expect(Set(changes.map(\.host)) == Set(expected) && changes.count == Set(expected).count)
            let bytes = try ManifestDelta.bytes(to: signed, changes: changes.shuffled(using: &numbers))
            #expect(try ManifestDelta(reading: bytes).applied(to: old) == signed.bytes)
            if new.count > 0 { #expect(try old.changed(to: 5, by: changes) == new) }
        }
    }

    @Test("the text has the documented form")
    func text() throws {
        let base = try Manifest(activation: 2, entries: [entry("gone.example", activation: 1)])
        let changes: [ManifestChange] = [
            .live(entry("shop.example", activation: 4, version: 2)), .removed(host: "gone.example", activation: 3),
        ]
        let next = try base.changed(to: 4, by: changes).signing(by: key)
        let lines = String(decoding: try ManifestDelta.bytes(to: next, changes: changes), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(6) == [
                "waymark-delta 1", "activation 4", "hosts 1", "emptied no", "- gone.example",
                "shop.example 4 2 \(ContentHash(of: file(1)).hex) \(file(1).count)",
            ])
        #expect(lines[6].hasPrefix("signature \(key.verificationKey.id) "))
        #expect(lines.count == 8 && lines[7].isEmpty)
    }

    @Test("removing an absent host is allowed; removing the last host marks the manifest as emptied")
    func removals() throws {
        let base = try Manifest(activation: 1, entries: [entry("a.example", activation: 1)])
        let same = try base.changed(to: 2, by: [.removed(host: "b.example", activation: 2)])
        #expect(same.count == 1 && !same.isEmptied)
        let empty = try same.changed(to: 3, by: [.removed(host: "a.example", activation: 3)])
        #expect(empty.count == 0 && empty.isEmptied)
        #expect(try empty.changed(to: 4, by: []).isEmptied)
        #expect(try !Manifest(activation: 0, entries: []).changed(to: 4, by: []).isEmptied)
        #expect(try !empty.changed(to: 5, by: [.live(entry("a.example", activation: 5))]).isEmptied)
    }

    @Test("any changed, removed or added byte gives an invalid delta, or one that gives an invalid signature")
    func everyByte() throws {
        let base = try manifest(0b1011_0110_101, activation: 3)
        let next = try manifest(0b0111_0011_011, activation: 5, base: base).signing(by: key)
        let good = try ManifestDelta.bytes(to: next, changes: changes(from: base, to: next))
        func lead(_ bytes: [UInt8], from base: Manifest) throws -> Manifest {
            try Manifest(verifying: ManifestDelta(reading: bytes).applied(to: base), trusted: [key.verificationKey])
        }
        #expect(try lead(good, from: base) == next)
        for index in good.indices {
            var changed = good
            changed[index] ^= 1
            #expect(
                (try? lead(changed, from: base)) == nil, "byte \(index) of \(String(decoding: changed, as: UTF8.self))")
            var shorter = good
            shorter.remove(at: index)
            #expect((try? lead(shorter, from: base)) == nil, "without byte \(index)")
        }
        let other = try manifest(0b1011_0110_101, activation: 2)
        #expect(throws: ManifestError.badSignature) { try lead(good, from: other) }
        #expect(throws: ManifestError.tooLarge) {
            try ManifestDelta(reading: [UInt8](repeating: 10, count: Manifest.largest + 1))
        }
    }

    @Test("lines that are invalid, out of order or duplicated are refused")
    func faults() throws {
        let line = "a.example 1 1 \(ManifestTests.hash) 20\n"
        let end = String(decoding: try signed("", by: key), as: UTF8.self)
        for lines in [
            "- b.example\n- a.example\n", "- a.example\n- a.example\n", "- a.example\n\(line)", "-a.example\n",
            "- a.example", "- a.example 1\n", "a.example\n", "\n", "- \(line)",
        ] {
            #expect(throws: ManifestError.self, "\(lines)") {
                try ManifestDelta(
                    reading: Array("waymark-delta 1\nactivation 2\nhosts 1\nemptied no\n\(lines)\(end)".utf8))
            }
        }
    }

    @Test("the activation is read from a tag, and from no other text")
    func tags() throws {
        let signed = try Manifest(activation: 12, entries: []).signed(by: key)
        let tag = Manifest.entityTag(of: signed)
        #expect(tag == "\"12-\(ContentHash(of: signed).hex)\"")
        #expect(Manifest.activation(ofTag: tag) == 12)
        for other in [
            "", "\"", "\"\"", "12", "\"12\"", tag.uppercased(), "W/" + tag, String(tag.dropLast()),
            "\"x" + tag.dropFirst(3),
        ] {
            #expect(Manifest.activation(ofTag: other) == nil, "\(other)")
        }
    }
}
