import AASA
import Foundation
import SignedFile
import StrictJSON
import Testing

@Suite("Signed files")
struct SignedFileTests {
    /// Real files from the web. They are not in the repository, but next to it.
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/aasa/corpus")
        .path(percentEncoded: false)
    private static let json = Array(
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[{"/":"/buy/*"}]}]}}"#.utf8)

    @Test("the text is read from every format that openssl writes", arguments: OpenSSL.Form.allCases)
    func forms(form: OpenSSL.Form) throws {
        // A text longer than one piece of a stream. For an empty text, openssl writes no pieces.
        for text in [Self.json, Array(repeating: UInt8(ascii: " "), count: 40_000) + Self.json] {
            let file = try ServedFile(try OpenSSL.signed(text, as: form))
            #expect(file.isSigned)
            #expect(file.text == text)
        }
    }

    @Test("an empty text is read from a signed file", arguments: [OpenSSL.Form.smime, .cms])
    func empty(form: OpenSSL.Form) throws { #expect(try ServedFile(try OpenSSL.signed([], as: form)).text.isEmpty) }

    @Test(
        "the signed files of the corpus are read",
        .enabled(
            if: FileManager.default.fileExists(atPath: corpus),
            "skipped: the corpus of real files is not beside this package")
    )
    func corpusFiles() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus)
        let files = try names.map { [UInt8](try Data(contentsOf: URL(filePath: "\(Self.corpus)/\($0)"))) }
        let signed = files.filter(Association.isSigned)
        #expect(signed.count >= 2)
        for file in signed { #expect(try !Association(parsing: try ServedFile(file).text).appIDs.isEmpty) }
    }

    @Test("a file that is not signed is used as it is")
    func unsigned() throws {
        for bytes in [Self.json, [], [0x30], [0x30, 0x03, 0x02, 0x01, 0x01], Array("-----BEGIN PKCS7-----".utf8)] {
            let file = try ServedFile(bytes)
            #expect(!file.isSigned)
            #expect(file.text == bytes)
        }
    }

    @Test("the file inside is evaluated, and linted with a finding that its signature is not checked")
    func inside() throws {
        let signed = try OpenSSL.signed(Self.json)
        let association = try Association(parsing: try ServedFile(signed).text)
        #expect(association.evaluate("/buy/1").outcome == .opens)
        let report = ServedFile.lint(signed)
        #expect(report.size == signed.count)
        let finding = try #require(report.findings.first { $0.code == .signed })
        #expect(finding.message.contains("but not the signature"))
        #expect(finding.severity == .warning)
        let others = Association.lint(Self.json).findings.map(\.code)
        #expect(report.findings.filter { $0.code != .signed }.map(\.code) == others)
    }

    @Test("an error inside has the line of the text inside, and no fix, because the bytes are elsewhere")
    func errorsInside() throws {
        let broken = try OpenSSL.signed(Array("{\n  \"applinks\": {},\n}".utf8))
        let finding = try #require(ServedFile.lint(broken).findings.first { $0.code == .invalidJSON })
        #expect(finding.position?.line == 3)
        let old = Array(#"{"applinks":{"apps":[],"details":{"ABCDE12345.a":{"paths":["*"]}}}}"#.utf8)
        #expect(Association.lint(old).findings.contains { $0.fix != nil })
        #expect(ServedFile.lint(try OpenSSL.signed(old)).findings.allSatisfy { $0.fix == nil })
    }

    @Test("the size limit applies to the signed file")
    func size() throws {
        let text = Array(repeating: UInt8(ascii: " "), count: Association.maximumSize - 100) + Self.json
        #expect(ServedFile.lint(try OpenSSL.signed(text)).findings.contains { $0.code == .tooLarge })
    }

    @Test("a signed message whose text cannot be read is refused with the reason")
    func refused() throws {
        let whole = try OpenSSL.signed(Self.json)
        let faults: [(bytes: [UInt8], reason: String)] = [
            (try OpenSSL.detached(Self.json), "without the signed data"),
            (Array(whole.prefix(60)), "damaged or cut short"),
            (whole + Array(repeating: 0, count: 1 << 20), "at most 1048576 are read"),
        ]
        for (bytes, reason) in faults {
            let error = #expect(throws: AssociationError.self) { try ServedFile(bytes) }
            #expect(error?.detail.contains(reason) == true, "\(String(describing: error))")
            #expect(ServedFile.lint(bytes).findings.contains { $0.severity == .error }, "\(reason)")
        }
        // Another content type than signed data.
        #expect(try !ServedFile(try OpenSSL.encrypted(Self.json)).isSigned)
    }

    @Test("deep nesting takes no memory, and elements of indefinite length must end")
    func hostile() throws {
        let head: [UInt8] = [
            0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x80, 0x30, 0x80, 0x02,
            0x01, 0x01,
        ]
        let open = Array(repeating: [0x31, 0x80] as [UInt8], count: 500_000).joined()
        #expect(throws: AssociationError.self) { try ServedFile(head + open) }
        let data: [UInt8] = [0x31, 0, 0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
        let pieces = Array(repeating: [0x04, 0x01, 0x20] as [UInt8], count: 300_000).joined()
        #expect(throws: AssociationError.self) { try ServedFile(head + data + [0xA0, 0x80, 0x24, 0x80] + pieces) }
        let ended = head + data + [0xA0, 0x80, 0x24, 0x80] + pieces + [0, 0]
        #expect(try ServedFile(ended).text.count == 300_000)
        // Nested pieces.
        #expect(throws: AssociationError.self) {
            try ServedFile(head + data + [0xA0, 0x80, 0x24, 0x80, 0x24, 0x80, 0x04, 0x01, 0x20, 0, 0, 0, 0])
        }
        // A length of 2^63, and a length that does not fit into 64 bits.
        for length: [UInt8] in [
            [0x88, 0x7F] + Array(repeating: 0xFF, count: 7), [0x88] + Array(repeating: 0xFF, count: 8),
        ] {
            #expect(throws: AssociationError.self) { try ServedFile(head + [0x31] + length) }
        }
    }

    @Test("40,000 random changes give a text or a reason")
    func mutations() throws {
        var random = Mutations()
        let bases = try OpenSSL.Form.allCases.map { try OpenSSL.signed(Self.json, as: $0) }
        var read = 0
        for round in 0..<40_000 {
            let bytes = random.mutated(bases[round % bases.count])
            guard let file = try? ServedFile(bytes) else { continue }
            #expect(file.text.count <= bytes.count)
            _ = try? Association(parsing: file.text)
            read += 1
        }
        #expect((1..<40_000).contains(read))
    }
}

/// Random changes from a fixed seed.
private struct Mutations {
    private var state: UInt64 = 7

    private mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(bound, 1)))
    }

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...next(below: 4) {
            // Mostly change the first bytes, which have the structure; the rest are keys and names.
            let place = next(below: next(below: 4) == 0 ? bytes.count : 80)
            guard bytes.indices.contains(place) else { break }
            switch next(below: 6) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(next(below: 256)), at: place)
            case 3: bytes[place] = [0, 0x7F, 0x80, 0x84, 0x88, 0xFF][next(below: 6)]
            case 4: bytes[place] ^= 1 << next(below: 8)
            default: bytes[place] = UInt8(next(below: 256))
            }
        }
        return bytes
    }
}
