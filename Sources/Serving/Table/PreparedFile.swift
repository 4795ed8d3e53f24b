internal import NIOCore
internal import Snapshot

/// One published file as it goes over the wire: made once, shared by every host that serves these bytes.
///
/// A class, as its forms are: a look-up then holds one object, not every buffer in it.
final class PreparedFile: Sendable {
    /// The file as it is, or in a content coding (RFC 9110 section 8.4): each with a tag of its own, because the bytes
    /// differ.
    ///
    /// What changes from answer to answer (date, version, connection) stands at the beginning of its head, so that the
    /// rest is one piece.
    final class Form: Sendable {
        /// The opaque tag, without quotation marks.
        let tag: [UInt8]
        /// The rest of a 200's head with the empty line, and the body.
        let found: ByteBuffer
        /// How much of `found` is the head.
        let headLength: Int
        /// The rest of a 304's head with the empty line.
        let notModified: ByteBuffer

        fileprivate init(_ bytes: [UInt8], tag: String, coding: String?, cacheControl: String) {
            self.tag = Array(tag.utf8)
            // RFC 9110 section 15.4.5: a 304 carries the fields that a cache needs, and none that describe the content.
            let validators = "ETag: \"\(tag)\"\r\nCache-Control: \(cacheControl)\r\nVary: Accept-Encoding\r\n\r\n"
            let coding = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
            var found = ByteBuffer(
                string: "Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n\(coding)"
                    + "Content-Length: \(bytes.count)\r\n" + validators)
            headLength = found.readableBytes
            found.writeBytes(bytes)
            self.found = found
            notModified = ByteBuffer(string: validators)
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

extension PreparedFile.Form {
    /// The bytes of the form itself.
    var body: ByteBuffer {
        found.getSlice(at: found.readerIndex + headLength, length: found.readableBytes - headLength) ?? ByteBuffer()
    }
}
