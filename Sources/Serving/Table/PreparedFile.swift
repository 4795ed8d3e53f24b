internal import ContentCoding
internal import NIOCore
internal import Snapshot

/// A published file, prepared for sending. It is created once and shared by all hosts that serve these bytes.
///
/// The file and its forms are classes, so that a look-up retains one object instead of several buffers.
final class PreparedFile: Sendable {
    /// One form of the file: unencoded, or in a content coding (RFC 9110 section 8.4). Each form has its own tag,
    /// because the bytes differ.
    ///
    /// The header fields that differ between responses (date, version, connection) are sent first. So the rest of the
    /// head can be prepared with the body in one buffer.
    final class Form: Sendable {
        /// The tag without its quotation marks.
        let tag: [UInt8]
        /// The prepared end of the head of a 200 response, the empty line, and the body.
        let found: ByteBuffer
        /// The length of the head in `found`.
        let headLength: Int
        /// The prepared end of the head of a 304 response, and the empty line.
        let notModified: ByteBuffer

        fileprivate init(_ bytes: [UInt8], tag: String, coding: String?, cacheControl: String) {
            self.tag = Array(tag.utf8)
            // RFC 9110 section 15.4.5: a 304 response has the fields that a cache needs, but not those that describe
            // the content.
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

    let sha256: ContentHash
    /// The unencoded file.
    let identity: Form
    /// The gzip form, or `nil` if the file is small or gzip does not make it shorter.
    let gzip: Form?

    init(_ blob: Blob, cacheControl: String, encoder: GzipEncoder) {
        sha256 = blob.sha256
        let hex = blob.sha256.hex
        identity = Form(blob.bytes, tag: hex, coding: nil, cacheControl: cacheControl)
        let encoded = blob.bytes.count < Coding.smallestEncoded ? nil : encoder.encode(blob.bytes)
        gzip = encoded.map { Form($0, tag: hex + "-gzip", coding: "gzip", cacheControl: cacheControl) }
    }
}

extension PreparedFile.Form {
    /// The bytes of the form, without the head.
    var body: ByteBuffer {
        found.getSlice(at: found.readerIndex + headLength, length: found.readableBytes - headLength) ?? ByteBuffer()
    }
}
