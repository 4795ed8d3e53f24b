public import StrictJSON

/// A fully qualified host name in ASCII, in lower case, such as `www.example.com` or `xn--mnchen-3ya.example`.
///
/// A host has at least two labels (or is `localhost`) and at most 253 characters. Each label has 1 to 63 letters,
/// digits and hyphens (RFC 952, RFC 1123, section 2.1). Ports, final periods and IP addresses are not allowed. Convert
/// Unicode names to punycode first.
public struct Host: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Reads a host name. Converts it to lower case, and removes one final period.
    ///
    /// - Throws: ``InvalidHost`` if the text is not a valid host name.
    public init(_ text: String) throws(InvalidHost) {
        var bytes = text.utf8.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
        }
        if bytes.isEmpty { throw InvalidHost("is empty; enter a host such as www.example.com") }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        try Self.checkCharacters(text)
        guard bytes.count <= 253 else {
            throw InvalidHost("has \(bytes.count) characters; at most 253 are allowed")
        }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels { try Self.check(label) }
        let name = String(decoding: bytes, as: UTF8.self)
        guard labels.count >= 2 || name == "localhost" else {
            throw InvalidHost("has only one label; enter a fully qualified name such as www.example.com")
        }
        // "www.example.1" is not a host name. If the last label has only digits, the host is read as an IPv4 address
        // (WHATWG URL, "ends in a number"), and top-level domains are alphabetic (RFC 3696, section 2).
        guard let last = labels.last, !Self.isNumber(last) else {
            throw InvalidHost("is an IP address or ends in a number; enter a host name")
        }
        rawValue = name
    }

    /// The text.
    public var description: String { rawValue }

    private static func checkCharacters(_ text: String) throws(InvalidHost) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".": continue
            case ":": throw InvalidHost("contains a port or an IPv6 address (\":\"); enter only the host name")
            case "/": throw InvalidHost("contains \"/\"; enter only the host name, without https:// and path")
            case "*": throw InvalidHost("contains a wildcard; add each host separately, as each serves its own file")
            case "_": throw InvalidHost("contains an underscore, which host names cannot contain")
            case "\u{80}"...: throw InvalidHost("contains \"\(scalar)\", which is not ASCII; enter its punycode")
            case "\u{21}"..."\u{7E}": throw InvalidHost("contains \"\(scalar)\", which host names cannot contain")
            default: throw InvalidHost("contains white space or a control character")
            }
        }
    }

    private static func check(_ label: ArraySlice<UInt8>) throws(InvalidHost) {
        if label.isEmpty { throw InvalidHost("has an empty label; remove the extra period") }
        if label.count > 63 { throw InvalidHost("has a label of \(label.count) characters; at most 63 are allowed") }
        if label.first == UInt8(ascii: "-") || label.last == UInt8(ascii: "-") {
            throw InvalidHost(
                "has the label \"\(String(decoding: label, as: UTF8.self))\", which begins or ends with -")
        }
    }

    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        let isDigits = label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isDigits || label.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")])
    }
}

/// The reason why a text is not a valid host name.
public struct InvalidHost: JSONFaultReason, Hashable, Sendable {
    /// A stable error code for programs.
    public var code: String { "invalid_host" }
    /// The error message: a predicate, such as "contains a wildcard; …".
    public let detail: String

    init(_ detail: String) { self.detail = detail }
}
