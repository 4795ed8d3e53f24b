/// A text that contains many blobs. Each blob has a line `<sha256> <size>`, followed by its bytes and a line feed.
public enum BlobList {
    /// The maximum number of blobs in one request.
    public static let maximum = 64

    /// The maximum length of a list of `count` blobs, in bytes.
    public static func largest(_ count: Int) -> Int { count * (Blob.largest + 80) }

    /// Creates a list of these blobs.
    public static func bytes(of blobs: [(sha256: ContentHash, bytes: [UInt8])]) -> [UInt8] {
        var list: [UInt8] = []
        list.reserveCapacity(blobs.reduce(0) { $0 + $1.bytes.count + 80 })
        for blob in blobs {
            list += "\(blob.sha256) \(blob.bytes.count)\n".utf8
            list += blob.bytes
            list.append(lineFeed)
        }
        return list
    }

    /// Reads a list up to the first malformed part. Returns the bytes by the SHA-256 in the list, not verified.
    public static func read(_ list: [UInt8]) -> [ContentHash: [UInt8]] {
        var found: [ContentHash: [UInt8]] = [:]
        var rest = list[...]
        while let end = rest.prefix(longestHead).firstIndex(of: lineFeed) {
            let head = rest[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard head.count == 2, let sha256 = ContentHash(hexBytes: head[0]),
                let size = Int(String(decoding: head[1], as: UTF8.self)), (0...Blob.largest).contains(size),
                rest[end...].dropFirst(size + 1).first == lineFeed
            else { break }
            found[sha256] = Array(rest[end...].dropFirst().prefix(size))
            rest = rest[end...].dropFirst(size + 2)
        }
        return found
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let longestHead = 80
}
