internal import NIOCore
internal import Snapshot

/// One published file as it goes over the wire: made once, shared by every host that serves these bytes.
struct PreparedFile: Sendable {
    /// The file as it is, or in a content coding (RFC 9110 section 8.4): each with a tag of its own, because the bytes
    /// differ.
    struct Form: Sendable {
        /// The opaque tag, without quotation marks.
        let tag: [UInt8]
        let body: ByteBuffer
        /// The head of a 200 up to and including `Waymark-Version: `.
        let found: ByteBuffer
        /// The head of a 304 up to and including `Waymark-Version: `.
        let notModified: ByteBuffer

        fileprivate init(_ bytes: [UInt8], tag: String, coding: String?, cacheControl: String) {
            self.tag = Array(tag.utf8)
            body = ByteBuffer(bytes: bytes)
            // RFC 9110 section 15.4.5: a 304 carries the fields that a cache needs, and none that describe the content.
            let validators =
                "ETag: \"\(tag)\"\r\nCache-Control: \(cacheControl)\r\nVary: Accept-Encoding\r\nWaymark-Version: "
            found = ByteBuffer(
                string: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    + (coding.map { "Content-Encoding: \($0)\r\n" } ?? "")
                    + "Content-Length: \(bytes.count)\r\n" + validators)
            notModified = ByteBuffer(string: "HTTP/1.1 304 Not Modified\r\n" + validators)
        }
    }

    /// Files of fewer bytes go out as they are: the answer is one packet either way.
    static let smallestEncoded = 1024

    let sha256: ContentHash
    /// The file as it is.
    let identity: Form
    /// Its gzip form; nil where that is not shorter, or the file is small.
    let gzip: Form?

    init(_ blob: Blob, cacheControl: String, encoder: GzipEncoder) {
        sha256 = blob.sha256
        let hex = blob.sha256.hex
        identity = Form(blob.bytes, tag: hex, coding: nil, cacheControl: cacheControl)
        let encoded = blob.bytes.count < Self.smallestEncoded ? nil : encoder.encode(blob.bytes)
        gzip = encoded.map { Form($0, tag: hex + "-gzip", coding: "gzip", cacheControl: cacheControl) }
    }
}
