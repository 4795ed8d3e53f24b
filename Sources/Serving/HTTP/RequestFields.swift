internal import ContentCoding
internal import NIOHTTP1

/// The header fields that the edge needs, read in one pass.
struct RequestFields {
    private(set) var host: String?
    private(set) var hostCount = 0
    private(set) var forwardedHost: String?
    private(set) var forwardedHostCount = 0
    private(set) var ifNoneMatch: [String] = []
    private(set) var codings = AcceptedCodings()
    private(set) var client = FetchClient.other
    private(set) var hasUpgrade = false
    private(set) var hasExpectation = false
    private(set) var hasTransferCoding = false
    /// False if the body has a transfer coding other than `chunked`.
    private(set) var isCodingKnown = true
    /// The total number of bytes of all names and values.
    private(set) var size = 0

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            size += name.utf8.count + value.utf8.count
            // Comparing the length first rules out nearly every name.
            switch name.utf8.count {
            case 4 where Self.equals(name, "host"):
                host = value
                hostCount += 1
            case 6 where Self.equals(name, "expect"):
                hasExpectation = true
            case 7 where Self.equals(name, "upgrade"):
                hasUpgrade = true
            case 10 where Self.equals(name, "user-agent"):
                client = FetchClient(userAgent: value)
            case 13 where Self.equals(name, "if-none-match"):
                ifNoneMatch.append(value)
            case 15 where Self.equals(name, "accept-encoding"):
                codings.add(value.utf8)
            case 16 where Self.equals(name, "x-forwarded-host"):
                forwardedHost = value
                forwardedHostCount += 1
            case 17 where Self.equals(name, "transfer-encoding"):
                isCodingKnown = !hasTransferCoding && Self.equals(value, "chunked")
                hasTransferCoding = true
            default:
                break
            }
        }
    }

    /// The error in the body's framing, or `nil`. HTTP/1.0 has no transfer codings, so a message with one is invalid
    /// (RFC 9112 section 6.1). The only supported coding is `chunked`.
    func framingFault(of version: HTTPVersion) -> EdgeError? {
        guard hasTransferCoding else { return nil }
        if version == .http1_0 { return .malformedRequest }
        return isCodingKnown ? nil : .unsupportedCoding
    }

    /// Compares an ASCII name with a name in lower case. Ignores upper and lower case.
    private static func equals(_ name: String, _ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { expected in
            name.utf8.elementsEqual(expected) { byte, letter in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == letter : byte == letter
            }
        }
    }
}
