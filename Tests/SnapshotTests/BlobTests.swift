import Testing

@testable import Snapshot

@Suite("Blob")
struct BlobTests {
    @Test("hashes match the examples of FIPS 180-4")
    func hash() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(ContentHash(of: Array("abc".utf8)).hex == abc)
        #expect(ContentHash(hex: abc) == ContentHash(of: Array("abc".utf8)))
        #expect(ContentHash(hex: abc.uppercased()) == nil)
        #expect(ContentHash(hex: abc.dropLast()) == nil)
        #expect(ContentHash(bytes: ContentHash(of: []).bytes) == ContentHash(of: []))
        #expect(ContentHash(of: [0]) != ContentHash(of: [1]))
    }

    @Test("the bytes must have the expected hash and size")
    func mismatch() throws {
        let bytes = file(1)
        let hash = ContentHash(of: bytes)
        #expect(try Blob(bytes, sha256: hash, size: bytes.count).bytes == bytes)
        #expect(throws: BlobError.wrongHash) { try Blob(file(2), sha256: hash) }
        #expect(throws: BlobError.wrongSize(bytes.count)) { try Blob(bytes, sha256: hash, size: bytes.count + 1) }
    }

    @Test("a file has at most 131,072 bytes")
    func size() throws {
        let start = Array(#"{"a":""#.utf8)
        let end = Array(#""}"#.utf8)
        let filler = [UInt8](repeating: 0x61, count: Blob.largest - start.count - end.count)
        #expect(try Blob(start + filler + end).bytes.count == 131_072)
        #expect(throws: BlobError.wrongSize(131_073)) { try Blob(start + filler + [0x61] + end) }
        #expect(throws: BlobError.wrongSize(0)) { try Blob([]) }
    }

    @Test(
        "only a well-formed JSON object is a whole file",
        arguments: [
            "[]", "nu", "\"x\"", " {", #"{"a":1"#, #"{"a":1}}"#, #"{"a":}"#, "{}\0", #"{"a":"\#u{1}"}"#, "<html>",
        ])
    func notAnObject(text: String) {
        #expect(throws: BlobError.notAnObject) { try Blob(Array(text.utf8)) }
    }

    @Test(
        "a file that Apple's parser reads is whole",
        arguments: ["{}", " {} \n", "\u{FEFF}{}", #"{"a":1,"a":2}"#, #"{"a":"\u0000"}"#, #"{"applinks":null}"#])
    func object(text: String) throws {
        #expect(try Blob(Array(text.utf8)).bytes == Array(text.utf8))
    }
}
