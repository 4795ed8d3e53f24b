/// Percent-encoding of text for URIs. All bytes are encoded except the unreserved characters of RFC 3986, section 2.3.
/// AWS signatures require the same (`UriEncode()` in
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
package enum PercentEncoding {
    /// The encoded text in UTF-8, with upper-case digits.
    ///
    /// - Parameter keepingSlashes: True if slashes are not encoded, as in a path.
    package static func encode(_ text: String, keepingSlashes: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || (keepingSlashes && byte == UInt8(ascii: "/")) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
