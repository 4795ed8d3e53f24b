internal import ContentCoding
internal import NIOCore
internal import Snapshot

/// A published file, prepared for sending. It is created once, and shared by all hosts that serve these bytes.
///
/// The file and its forms are classes, so that a look-up retains a single object instead of all its buffers.
final class PreparedFile: Sendable {
    /// The file without encoding or in a content coding (RFC 9110 section 8.4). Each form has its own tag, because the
    /// bytes differ.
    ///
    /// Some header fields differ between answers (date, version, connection). They are at the beginning of the head, so
    /// that the rest is one buffer.
    final class Form: Sendable {
        /// The opaque tag, without quotation marks.
        let tag: [UInt8]
        /// The rest of the head of a 200 response with the empty line, and the body.
        let found: ByteBuffer
        /// The length of the head in `found`.
        let headLength: Int
        /// The rest of the head of a 304 response with the empty line.
        let notModified: ByteBuffer

        fileprivate init(_ bytes: [UInt8], tag: String, coding: String?, cacheControl: String) {
            self.tag = Array(tag.utf8)
            // RFC 9110 section 15.4.5: a 304 response has the fields that a cache needs, but no fields that describe
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
    /// The gzip form, or `nil` if it is not shorter or the file is small.
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
