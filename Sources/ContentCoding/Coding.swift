/// A content coding that a response can have, by its name in `Content-Encoding` (RFC 9110 section 8.4.1, RFC 7932).
package enum Coding: String, CaseIterable, Sendable {
    case brotli = "br"
    case gzip

    /// The minimum size of a body to encode, in bytes. A smaller one is a single network packet in any case.
    package static let smallestEncoded = 1024
}
