import Testing

@testable import Snapshot

@Suite("Manifest")
struct ManifestTests {
    let key: SigningKey
    let manifest: Manifest

    init() throws {
        key = try SigningKey()
        manifest = try Manifest(
            activation: 12,
            entries: [
                entry("www.example", activation: 12, version: 3, file: 1),
                entry("a.example", activation: 4, file: 2), entry("xn--mnchen-3ya.example", activation: 7, file: 2),
            ])
    }

    func verify(_ bytes: [UInt8]) throws -> Manifest {
        try Manifest(verifying: bytes, trusted: [key.verificationKey])
    }

    @Test("a signed manifest is verified as the same manifest, with hosts sorted by their bytes")
    func roundTrip() throws {
        let read = try verify(manifest.signed(by: key))
        #expect(read == manifest)
        #expect(read.entries.map(\.host) == ["a.example", "www.example", "xn--mnchen-3ya.example"])
        #expect(read.entry(of: "www.example")?.version == 3)
        #expect(read.entry(of: "zzz.example") == nil)
        #expect(read.entry(of: "a") == nil)
    }

    @Test("the text has the documented form")
    func text() throws {
        let one = try Manifest(activation: 9, entries: [entry("a.example", activation: 4, version: 2)])
        let text = String(decoding: try one.signed(by: key), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(4) == ["waymark-manifest 1", "activation 9", "hosts 1", "emptied no"])
        #expect(lines[4] == "a.example 4 2 \(ContentHash(of: file(1)).hex) \(file(1).count)")
        #expect(lines[5].hasPrefix("signature \(key.verificationKey.id) "))
        #expect(lines[6].isEmpty)
        #expect(lines.count == 7)
    }

    @Test("the same entries in any order give the same bytes")
    func canonical() throws {
        let turned = try Manifest(activation: 12, entries: manifest.entries.reversed())
        #expect(try turned.signed(by: key) == manifest.signed(by: key))
    }

    @Test("a text with any byte changed, removed or added is refused")
    func everyByte() throws {
        let good = try manifest.signed(by: key)
        for index in good.indices {
            var changed = good
            changed[index] ^= 1
            #expect(throws: ManifestError.self) { try verify(changed) }
            var shorter = good
            shorter.remove(at: index)
            #expect(throws: ManifestError.self) { try verify(shorter) }
        }
        for end in 0..<good.count { #expect(throws: ManifestError.self) { try verify(Array(good[..<end])) } }
        #expect(throws: ManifestError.self) { try verify(good + [10]) }
        #expect(throws: ManifestError.self) { try verify([10] + good) }
    }

    @Test("a text with any line removed, repeated or exchanged is refused")
    func everyLine() throws {
        let lines = try manifest.signed(by: key).split(separator: 10, omittingEmptySubsequences: false)
        for index in lines.indices.dropLast() {
            var fewer = lines
            fewer.remove(at: index)
            #expect(throws: ManifestError.self) { try verify(Array(fewer.joined(separator: [10]))) }
            var more = lines
            more.insert(lines[index], at: index)
            #expect(throws: ManifestError.self) { try verify(Array(more.joined(separator: [10]))) }
            guard index > 0 else { continue }
            var turned = lines
            turned.swapAt(index, index - 1)
            #expect(throws: ManifestError.self) { try verify(Array(turned.joined(separator: [10]))) }
        }
    }

    @Test("a signature by an untrusted key is refused, one by any of several trusted keys is accepted")
    func keys() throws {
        let other = try SigningKey()
        let bytes = try manifest.signed(by: other)
        #expect(throws: ManifestError.untrustedKey(id: other.verificationKey.id)) { try verify(bytes) }
        #expect(throws: ManifestError.self) { try Manifest(verifying: bytes, trusted: []) }
        let both = [key.verificationKey, other.verificationKey]
        #expect(try Manifest(verifying: bytes, trusted: both) == manifest)
    }

    @Test("a signature by another key under a trusted key's ID is refused")
    func borrowedID() throws {
        let other = try SigningKey()
        let good = String(decoding: try manifest.signed(by: other), as: UTF8.self)
        let lent = good.split(separator: other.verificationKey.id).joined(separator: key.verificationKey.id)
        #expect(throws: ManifestError.badSignature) { try verify(Array(lent.utf8)) }
    }

    static let hash = String(repeating: "0a", count: 32)

    /// Texts that a faulty publisher might sign. Each must be refused although its signature is valid.
    static let faulty: [(String, ManifestError)] = {
        let head = "waymark-manifest 1\nactivation 9\nhosts 1\nemptied no\n"
        let size = "\(hash) 20\n"
        return [
            ("", .noSignature),
            ("waymark-manifest 2\nactivation 9\nhosts 0\nemptied no\n", .unknownFormat),
            ("waymark-manifest 1\nactivation -1\nhosts 0\nemptied no\n", .notCanonical(line: 2)),
            ("waymark-manifest 1\nactivation 09\nhosts 0\nemptied no\n", .notCanonical(line: 2)),
            ("waymark-manifest 1\nactivation \nhosts 0\nemptied no\n", .notCanonical(line: 2)),
            ("waymark-manifest 1\nactivation 9223372036854775808\nhosts 0\nemptied no\n", .notCanonical(line: 2)),
            ("waymark-manifest 1\nactivation 99999999999999999999999\nhosts 0\nemptied no\n", .notCanonical(line: 2)),
            ("waymark-manifest 1\nactivation 9\nhosts 0\n", .notCanonical(line: 4)),
            ("waymark-manifest 1\nactivation 9\nhosts 0\nemptied maybe\n", .notCanonical(line: 4)),
            ("waymark-manifest 1\nactivation 9\nhosts 0\nemptied no\n\n", .notCanonical(line: 5)),
            ("waymark-manifest 1\nactivation 9\nhosts 1\nemptied no\n", .wrongCount),
            ("waymark-manifest 1\nactivation 9\nhosts 1\nemptied yes\na.example 1 1 " + size, .emptiedWithEntries),
            (head + "a.example 1 1 \(size)b.example 1 1 " + size, .wrongCount),
            (
                "waymark-manifest 1\nactivation 9\nhosts 2\nemptied no\nb.example 1 1 \(size)a.example 1 1 " + size,
                .outOfOrder(host: "a.example")
            ),
            (
                "waymark-manifest 1\nactivation 9\nhosts 2\nemptied no\na.example 1 1 \(size)a.example 1 1 " + size,
                .outOfOrder(host: "a.example")
            ),
            (head + "a.example 10 1 " + size, .activationAboveManifest(host: "a.example")),
            (head + "a.example 0 1 " + size, .badNumber),
            (head + "a.example 1 0 " + size, .badNumber),
            (head + "a.example 1 1 \(hash) 1\n", .badSize(host: "a.example", size: 1)),
            (head + "a.example 1 1 \(hash) 131073\n", .badSize(host: "a.example", size: 131_073)),
            (head + "a.example 1 1 \(hash) 020\n", .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash.uppercased()) 20\n", .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash.dropLast(2)) 20\n", .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash)aa 20\n", .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash.dropLast())g 20\n", .notCanonical(line: 5)),
            (head + "a.example  1 1 " + size, .notCanonical(line: 5)),
            (head + "a.example\t1 1 " + size, .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash) 20 \n", .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash) 20\r\n", .notCanonical(line: 5)),
            (head + "a.example 1 1 \(hash) 20", .notCanonical(line: 5)),
            (head + "A.example 1 1 " + size, .badHost("A.example")),
            (head + "a.example. 1 1 " + size, .badHost("a.example.")),
            (head + "../a 1 1 " + size, .badHost("../a")),
            (head + ". 1 1 " + size, .badHost(".")),
            (head + ".. 1 1 " + size, .badHost("..")),
            (head + " 1 1 " + size, .badHost("")),
            (head + "münchen.example 1 1 " + size, .badHost("münchen.example")),
        ]
    }()

    @Test("a faulty text is refused although its signature is valid", arguments: faulty)
    func faults(text: String, error: ManifestError) throws {
        #expect(throws: error) { try verify(signed(text, by: key)) }
    }

    @Test("a publisher cannot create a manifest that a consumer refuses")
    func unbuildable() throws {
        let good = entry("a.example", activation: 4)
        #expect(throws: ManifestError.outOfOrder(host: "a.example")) {
            try Manifest(activation: 9, entries: [good, good])
        }
        #expect(throws: ManifestError.activationAboveManifest(host: "a.example")) {
            try Manifest(activation: 3, entries: [good])
        }
        #expect(throws: ManifestError.emptiedWithEntries) {
            try Manifest(activation: 9, entries: [good], isEmptied: true)
        }
        #expect(throws: ManifestError.badNumber) { try Manifest(activation: -1, entries: []) }
    }

    @Test("an empty manifest says whether it was emptied intentionally", arguments: [true, false])
    func emptied(isEmptied: Bool) throws {
        let empty = try Manifest(activation: 5, entries: [], isEmptied: isEmptied)
        #expect(try verify(empty.signed(by: key)).isEmptied == isEmptied)
    }
}
