/// The places of the parts of an http or https URL. The initialiser checks whether the URL can be a universal link.
struct URLSplit: BitwiseCopyable {
    /// A part: its offset and its length in bytes.
    struct Part: BitwiseCopyable {
        let offset: Int
        let count: Int
    }

    /// The host as written, or `nil` for a relative URL.
    let host: Part?
    /// The path as written. It may be empty.
    let path: Part
    /// The text after `?`, or `nil` if the URL has no query.
    let query: Part?
    /// The text after `#`, or `nil` if the URL has no fragment.
    let fragment: Part?

    /// The maximum length of a URL in bytes.
    static let maximumLength = 65_536

    /// Splits a URL (RFC 3986, appendix B).
    ///
    /// A relative URL that begins with `/`, `?` or `#` is on the file's own host, as in `swcutil`.
    init(_ url: UnsafeBufferPointer<UInt8>) throws(URLFault) {
        guard url.count <= Self.maximumLength else { throw .tooLong }
        let queryMark = Self.first(in: url, from: 0, to: url.count) { $0 == 0x3F || $0 == 0x23 }
        let fragmentMark =
            queryMark < url.count && url[queryMark] == 0x3F
            ? Self.first(in: url, from: queryMark + 1, to: url.count) { $0 == 0x23 } : queryMark
        query =
            queryMark < fragmentMark ? Part(offset: queryMark + 1, count: fragmentMark - queryMark - 1) : nil
        fragment =
            fragmentMark < url.count ? Part(offset: fragmentMark + 1, count: url.count - fragmentMark - 1) : nil
        let slash = UInt8(ascii: "/")
        let isRelative =
            queryMark == 0 ? !url.isEmpty : url[0] == slash && (queryMark == 1 || url[1] != slash)
        if isRelative {
            host = nil
            path = Part(offset: 0, count: queryMark)
            return
        }
        let authority = try Self.authority(of: url, end: queryMark)
        host = authority.host
        path = Part(offset: authority.end, count: queryMark - authority.end)
    }

    /// Reads and checks the scheme and the authority, which end before `end`.
    private static func authority(
        of url: UnsafeBufferPointer<UInt8>, end: Int
    ) throws(URLFault) -> (host: Part, end: Int) {
        let colon = first(in: url, from: 0, to: end) { $0 == UInt8(ascii: ":") }
        guard colon < end else { throw .noScheme }
        // [DOC] "standard HTTP or HTTPS links"; the scheme is case-insensitive [REP].
        let defaultPort: Int
        if spells(url, to: colon, "https") {
            defaultPort = 443
        } else if spells(url, to: colon, "http") {
            defaultPort = 80
        } else {
            throw .otherScheme
        }
        let slash = UInt8(ascii: "/")
        guard end - colon > 2, url[colon + 1] == slash, url[colon + 2] == slash else { throw .noAuthority }
        var start = colon + 3
        let authorityEnd = first(in: url, from: start, to: end) { $0 == slash }
        var hostEnd = authorityEnd
        var portMark: Int?
        for index in start..<authorityEnd {
            switch url[index] {
            case UInt8(ascii: "@"): (start, portMark) = (index + 1, nil)
            case UInt8(ascii: ":"): portMark = index
            // The colons of an IPv6 address do not begin a port.
            case UInt8(ascii: "]"): portMark = nil
            default: break
            }
        }
        if let portMark {
            try check(port: url[(portMark + 1)..<authorityEnd], isDefault: defaultPort)
            hostEnd = portMark
        }
        try check(host: UnsafeBufferPointer(rebasing: url[start..<hostEnd]))
        return (Part(offset: start, count: hostEnd - start), authorityEnd)
    }

    @inline(__always)
    private static func first(
        in url: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, where matches: (UInt8) -> Bool
    ) -> Int {
        var index = start
        while index < end, !matches(url[index]) { index += 1 }
        return index
    }

    /// Whether the first `end` bytes are a given word, ignoring letter case.
    private static func spells(_ url: UnsafeBufferPointer<UInt8>, to end: Int, _ word: StaticString) -> Bool {
        guard end == word.utf8CodeUnitCount else { return false }
        for index in 0..<end where url[index] | 0x20 != word.utf8Start[index] { return false }
        return true
    }

    /// [REP] The port must be absent or the scheme's default port.
    private static func check(
        port: Slice<UnsafeBufferPointer<UInt8>>, isDefault defaultPort: Int
    ) throws(URLFault) {
        if port.isEmpty { return }
        var number = 0
        for byte in port {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw .invalidPort }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            guard number <= 65_535 else { throw .invalidPort }
        }
        guard number == defaultPort else { throw .otherPort(number) }
    }

    /// [REP] The host must contain a period.
    private static func check(host: UnsafeBufferPointer<UInt8>) throws(URLFault) {
        guard !host.isEmpty else { throw .noHost }
        var hasPeriod = false
        for byte in host {
            guard inHosts.contains(byte) else { throw .invalidHost }
            if byte == UInt8(ascii: ".") { hasPeriod = true }
        }
        guard hasPeriod else { throw .hostNotQualified }
    }

    /// Visible ASCII characters except `"%<>\`, as bits.
    private static let inHosts = ASCIISet(low: 0xAFFF_FFDA_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
}

/// The reason why a URL cannot be a universal link.
enum URLFault: Error, Hashable {
    case tooLong
    case noScheme
    case otherScheme
    case noAuthority
    case noHost
    case invalidHost
    case hostNotQualified
    case invalidPort
    case otherPort(Int)

    var code: Evaluation.Ineligibility.Code {
        switch self {
        case .tooLong, .noScheme, .noAuthority, .noHost, .invalidHost, .invalidPort: .unparsable
        case .otherScheme: .scheme
        case .hostNotQualified: .hostNotQualified
        case .otherPort: .port
        }
    }

    var ineligibility: Evaluation.Ineligibility { Evaluation.Ineligibility(code: code, detail: detail) }

    private var detail: String {
        switch self {
        case .tooLong: "The URL has more than \(URLSplit.maximumLength) bytes."
        case .noScheme: "The URL has no scheme. It must begin with https://."
        case .otherScheme: "Only http and https URLs can be universal links."
        case .noAuthority: "The URL needs // and a host after the scheme."
        case .noHost: "The URL has no host."
        case .invalidHost: "The host has characters that are not allowed. Write a Unicode name in punycode."
        case .hostNotQualified: "The host has no period. Universal links need a fully qualified name."
        case .invalidPort: "The port is not a number between 0 and 65535."
        case .otherPort(let number):
            "The URL has port \(number). Universal links work only on the scheme's default port."
        }
    }
}

extension Evaluation.Ineligibility: Error {}
