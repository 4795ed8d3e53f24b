import Hex

@testable import Snapshot

/// A small whole file, different for each number.
func file(_ number: Int) -> [UInt8] {
    Array(#"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app\#(number)"]}]}}"#.utf8)
}

func entry(_ host: String, activation: Int64, version: Int64 = 1, file number: Int = 1) -> ManifestEntry {
    let bytes = file(number)
    return ManifestEntry(
        host: host, activation: activation, version: version, sha256: ContentHash(of: bytes), size: bytes.count)
}

/// The text with a valid signature line, whether it is a manifest or not.
func signed(_ text: String, by key: SigningKey) throws -> [UInt8] {
    let bytes = Array(text.utf8)
    let line = "signature \(key.verificationKey.id) \(Hexadecimal.encode(try key.signature(for: bytes[...])))\n"
    return bytes + Array(line.utf8)
}
