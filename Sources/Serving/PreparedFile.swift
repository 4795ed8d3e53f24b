internal import NIOCore
internal import Snapshot

/// One published file as it goes over the wire: made once, shared by every host that serves these bytes.
struct PreparedFile: Sendable {
    let sha256: ContentHash
    /// The opaque tag, without quotation marks.
    let tag: [UInt8]
    let body: ByteBuffer
    /// The head of a 200 up to and including `Waymark-Version: `.
    let found: ByteBuffer
    /// The head of a 304 up to and including `Waymark-Version: `.
    let notModified: ByteBuffer

    init(_ blob: Blob, cacheControl: String) {
        sha256 = blob.sha256
        let hex = blob.sha256.hex
        tag = Array(hex.utf8)
        body = ByteBuffer(bytes: blob.bytes)
        // RFC 9110 section 15.4.5: a 304 carries the fields that a cache needs, and none that describe the content.
        let validators = "ETag: \"\(hex)\"\r\nCache-Control: \(cacheControl)\r\nWaymark-Version: "
        found = ByteBuffer(
            string: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(blob.bytes.count)\r\n" + validators)
        notModified = ByteBuffer(string: "HTTP/1.1 304 Not Modified\r\n" + validators)
    }
}
