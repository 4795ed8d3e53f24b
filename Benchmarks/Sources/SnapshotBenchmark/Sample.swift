import Snapshot

/// An invented installation: hosts that share files.
struct Sample {
    let hosts: Int
    let files: Int

    /// The text before and after a host's number in its name.
    static let name = (before: "links-", behind: ".customer.example.com")

    /// The host with this number.
    static func host(_ number: Int) -> String { "\(name.before)\(number)\(name.behind)" }

    /// A file of about two kilobytes. It is different for each number, but always has the same length.
    static func file(_ number: Int) -> [UInt8] {
        let name = String(1_000_000 + number)
        let components = (0..<40).map { #"{"/":"/\#(name)/section-\#(10 + $0)/*","comment":"kept"}"# }
        let details =
            #"{"appIDs":["ABCDE12345.com.example.app\#(name)"],"components":[\#(components.joined(separator: ","))]}"#
        return Array(#"{"applinks":{"details":[\#(details)]}}"#.utf8)
    }

    /// All files, as blobs.
    func blobs() throws -> [Blob] { try (0..<files).map { try Blob(Self.file($0)) } }

    /// A manifest in which each host has one of the blobs and its own activation.
    func manifest(_ blobs: [Blob]) throws -> Manifest {
        try Manifest(activation: Int64(hosts), entries: (0..<hosts).map { entry($0, blobs, activation: $0 + 1) })
    }

    /// The delta to a manifest in which one host has a different blob.
    func update(by key: SigningKey) throws -> [UInt8] {
        let blobs = try blobs()
        let change = ManifestChange.live(entry(5, blobs[1...] + blobs[..<1], activation: hosts + 1))
        let changed = try manifest(blobs).changed(to: Int64(hosts + 1), by: [change])
        let signed = try Manifest(verifying: changed.signed(by: key), trusted: [key.verificationKey])
        return try ManifestDelta.bytes(to: signed, changes: [change])
    }

    private func entry(_ number: Int, _ blobs: some RandomAccessCollection<Blob>, activation: Int) -> ManifestEntry {
        let blob = blobs[blobs.index(blobs.startIndex, offsetBy: number % blobs.count)]
        return ManifestEntry(
            host: Self.host(number), activation: Int64(activation), version: 7, sha256: blob.sha256,
            size: blob.bytes.count)
    }
}
