import Snapshot

/// A made-up installation: hosts that share files.
struct Sample {
    static let files = 10_000

    let hosts: Int

    /// The host with this number.
    static func host(_ number: Int) -> String { "links-\(number).customer.example.com" }

    /// A file of about two kilobytes, another for each number, all of one length.
    static func file(_ number: Int) -> [UInt8] {
        let name = String(1_000_000 + number)
        let components = (0..<40).map { #"{"/":"/\#(name)/section-\#(10 + $0)/*","comment":"kept"}"# }
        let details =
            #"{"appIDs":["ABCDE12345.com.example.app\#(name)"],"components":[\#(components.joined(separator: ","))]}"#
        return Array(#"{"applinks":{"details":[\#(details)]}}"#.utf8)
    }

    /// Every file, as blobs.
    static func blobs() throws -> [Blob] { try (0..<files).map { try Blob(file($0)) } }

    /// Each host with one of the blobs, at an activation of its own; `changed` has moved to the next blob since.
    func manifest(_ blobs: [Blob], changed: Int? = nil) throws -> Manifest {
        let entries = (0..<hosts).map { number in
            let isChanged = number == changed
            let blob = blobs[(number + (isChanged ? 1 : 0)) % blobs.count]
            return ManifestEntry(
                host: Self.host(number), activation: Int64(isChanged ? hosts + 1 : number + 1), version: 7,
                sha256: blob.sha256, size: blob.bytes.count)
        }
        return try Manifest(activation: Int64(changed == nil ? hosts : hosts + 1), entries: entries)
    }
}
