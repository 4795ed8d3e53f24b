import ContentCoding

@testable import Serving
@testable import Snapshot

/// A small whole file, different for each number.
func file(_ number: Int) -> [UInt8] {
    Array(#"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app\#(number)"]}]}}"#.utf8)
}

func hash(_ number: Int) -> ContentHash { ContentHash(of: file(number)) }

func entry(_ host: String, activation: Int64, version: Int64 = 1, file number: Int = 1) -> ManifestEntry {
    ManifestEntry(
        host: host, activation: activation, version: version, sha256: hash(number), size: file(number).count)
}

/// A table of these hosts, each with its own file.
func liveTable(_ files: [String: [UInt8]], unavailable: [String] = []) throws -> LiveTable {
    let live = LiveTable()
    try live.replace(with: table(files, unavailable: unavailable))
    return live
}

func table(_ files: [String: [UInt8]], unavailable: [String] = []) throws -> ServingTable {
    let blobs = try files.mapValues { try Blob($0) }
    let entries = blobs.map {
        ManifestEntry(
            host: $0.key, activation: 7, version: 12, sha256: $0.value.sha256, size: $0.value.bytes.count)
    }
    let encoder = GzipEncoder()
    let byHash = Dictionary(blobs.values.map { ($0.sha256, $0) }, uniquingKeysWith: { one, _ in one })
    let snapshot = ServedSnapshot(
        manifest: try Manifest(activation: 7, entries: entries), unavailable: unavailable)
    return ServingTable(snapshot) { wanted in
        byHash[wanted.sha256].map { PreparedFile($0, cacheControl: LiveTable.CacheControl().field, encoder: encoder) }
    }
}
