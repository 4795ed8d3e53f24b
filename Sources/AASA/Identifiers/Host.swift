public import StrictJSON

/// A fully qualified host name in ASCII, in lower case, such as `www.example.com` or `xn--mnchen-3ya.example`.
///
/// At least two labels (or `localhost`), each of 1-63 letters, digits and hyphens (RFC 952, RFC 1123, section 2.1),
/// 253 characters at most, no port, no final period, no IP address. Unicode names are converted before they get here.
public struct Host: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Reads a host name; capital letters are lowered, one final period is dropped.
    ///
    /// - Throws: ``InvalidHost``, which says what is wrong in words.
    public init(_ text: String) throws(InvalidHost) {
        var bytes = text.utf8.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
        }
        if bytes.isEmpty { throw InvalidHost("is empty") }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        try Self.checkCharacters(text)
        guard bytes.count <= 253 else {
            throw InvalidHost("has \(bytes.count) characters; at most 253 are possible")
        }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels { try Self.check(label) }
        let name = String(decoding: bytes, as: UTF8.self)
        guard labels.count >= 2 || name == "localhost" else {
            throw InvalidHost("has only one label; a fully qualified name such as www.example.com is needed")
        }
        // "www.example.1" cannot be a name: a last label of digits is read as an IPv4 address (WHATWG URL, "ends in
        // a number"), and top-level domains are alphabetic (RFC 3696, section 2).
        guard let last = labels.last, !Self.isNumber(last) else {
            throw InvalidHost("is an IP address or ends in a number; Apple's systems need a name")
        }
        rawValue = name
    }

    /// The text.
    public var description: String { rawValue }

    private static func checkCharacters(_ text: String) throws(InvalidHost) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".": continue
            case ":": throw InvalidHost("contains a port or an IPv6 address (\":\"); only the host's name is needed")
            case "/": throw InvalidHost("contains \"/\"; only the host's name is needed, without https:// and path")
            case "*": throw InvalidHost("contains a wildcard; every host serves its own file, so it needs its own name")
            case "_": throw InvalidHost("contains an underscore, which host names cannot have")
            case "\u{80}"...: throw InvalidHost("contains \"\(scalar)\", which is not ASCII: its punycode is needed")
            case "\u{21}"..."\u{7E}": throw InvalidHost("contains \"\(scalar)\", which host names cannot have")
            default: throw InvalidHost("contains white space or a control character")
            }
        }
    }

    private static func check(_ label: ArraySlice<UInt8>) throws(InvalidHost) {
        if label.isEmpty { throw InvalidHost("has an empty label: a period too many") }
        if label.count > 63 { throw InvalidHost("has a label of \(label.count) characters; at most 63 are possible") }
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

/// Why a text is no host name.
public struct InvalidHost: JSONFaultReason, Hashable, Sendable {
    /// What is wrong; stable, for programs.
    public var code: String { "invalid_host" }
    /// What is wrong, in words.
    public let detail: String

    init(_ detail: String) { self.detail = detail }
}
