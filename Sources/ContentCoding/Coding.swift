/// A content coding that a response can have, by its name in `Content-Encoding` (RFC 9110 section 8.4.1, RFC 7932).
package enum Coding: String, CaseIterable, Sendable {
    case brotli = "br"
    case gzip

    /// Smaller bodies are sent without encoding, because the response is one packet in both cases.
    package static let smallestEncoded = 1024
}
