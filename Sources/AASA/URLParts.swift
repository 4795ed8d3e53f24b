/// The parts of an http or https URL that rules are compared with, percent-encoded as Apple's URL parser leaves them.
struct URLParts {
    /// The host in lower case; nil for a relative URL.
    let host: String?
    /// The path, as written; may be empty.
    let path: [UInt8]
    /// What stands after `?`; nil without one.
    let query: [UInt8]?
    /// What stands after `#`; nil without one.
    let fragment: [UInt8]?

    /// URLs longer than this many bytes are not looked at.
    static let maximumLength = 65_536

    /// Splits a URL (RFC 3986, appendix B) and checks whether Apple's systems would look at it at all.
    ///
    /// A relative URL that begins with `/`, `?` or `#` stands for that place on the file's own host, as for `swcutil`.
    init(_ text: String) throws(Evaluation.Ineligibility) {
        guard text.utf8.count <= Self.maximumLength else {
            throw Self.unparsable("The URL has more than \(Self.maximumLength) bytes.")
        }
        var rest = Array(text.utf8)[...]
        var fragment: ArraySlice<UInt8>?
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        var query: ArraySlice<UInt8>?
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        let isRelative = rest.first == UInt8(ascii: "/") && rest.dropFirst().first != UInt8(ascii: "/")
        if isRelative || (rest.isEmpty && !text.isEmpty) {
            host = nil
        } else {
            host = try Self.takeAuthority(from: &rest)
        }
        path = URLEncoding.repaired(rest, .path)
        self.query = query.map { URLEncoding.repaired($0, .queryOrFragment) }
        self.fragment = fragment.map { URLEncoding.repaired($0, .queryOrFragment) }
    }

    /// Takes scheme and authority away and checks them; returns the host.
    private static func takeAuthority(from rest: inout ArraySlice<UInt8>) throws(Evaluation.Ineligibility) -> String {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else {
            throw unparsable("The URL has no scheme: it should begin with https://.")
        }
        let scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
        // [DOC] "standard HTTP or HTTPS links"; the scheme in any case [REP].
        let defaultPort: Int
        switch scheme {
        case "https": defaultPort = 443
        case "http": defaultPort = 80
        default:
            throw Evaluation.Ineligibility(
                code: .scheme, detail: "Only http and https URLs can be universal links.")
        }
        rest = rest[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { throw unparsable("After the scheme, // and a host are needed.") }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var authority = rest[..<end]
        rest = rest[end...]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if let portMark = authority.lastIndex(of: UInt8(ascii: ":")), !authority[portMark...].contains(0x5D) {
            try check(port: authority[(portMark + 1)...], isDefault: defaultPort)
            authority = authority[..<portMark]
        }
        return try host(authority)
    }

    /// [REP] The port is absent or the scheme's default.
    private static func check(
        port: ArraySlice<UInt8>, isDefault defaultPort: Int
    ) throws(Evaluation.Ineligibility) {
        if port.isEmpty { return }
        guard let number = Int(String(decoding: port, as: UTF8.self)), (0...65_535).contains(number) else {
            throw unparsable("The port is not a number between 0 and 65535.")
        }
        guard number == defaultPort else {
            throw Evaluation.Ineligibility(
                code: .port, detail: "The URL names port \(number); universal links work on the scheme's own port only."
            )
        }
    }

    /// [REP] The host contains a period; it is lower-cased [OBS].
    private static func host(_ bytes: ArraySlice<UInt8>) throws(Evaluation.Ineligibility) -> String {
        guard !bytes.isEmpty else { throw unparsable("The URL has no host.") }
        let isPlain = bytes.allSatisfy { byte in
            switch byte {
            case 0x80..., 0...0x20, 0x7F: false
            case UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\\"): false
            default: true
            }
        }
        guard isPlain else {
            throw unparsable("The host has characters that a host cannot have; write a Unicode name in punycode.")
        }
        guard bytes.contains(UInt8(ascii: ".")) else {
            throw Evaluation.Ineligibility(
                code: .hostNotQualified, detail: "The host has no period; universal links need a fully qualified name.")
        }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    private static func unparsable(_ detail: String) -> Evaluation.Ineligibility {
        Evaluation.Ineligibility(code: .unparsable, detail: detail)
    }
}

extension Evaluation.Ineligibility: Error {}
