/// An address that a customer gave: `https://host`, with an optional port and path. Other forms of URLs are refused, so
/// that no two programs can read one differently.
public struct FetchURL: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length, in bytes.
    public static let maximumLength = 500

    /// True for https. http is only for this machine.
    public let isSecure: Bool
    /// The host in lower case.
    public let host: String
    /// The port.
    public let port: Int
    /// The path with its query. It starts with a slash, or is empty.
    public let path: String
    /// The whole text, as given.
    public let description: String

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - allowsLoopback: Accept http for `localhost` and `127.0.0.1`.
    /// - Returns: `nil` for user names, fragments, IP addresses, and characters that a URL must encode (RFC 3986).
    public init?(_ text: String, allowsLoopback: Bool = false) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first?.lowercased(), host.utf8.count <= 253 else { return nil }
        let isLocal = host == "localhost" || host == "127.0.0.1"
        isSecure = scheme == "https://"
        guard isSecure || allowsLoopback && isLocal else { return nil }
        guard Self.isName(host) || !isSecure || allowsLoopback && isLocal else { return nil }
        var port = isSecure ? 443 : 80
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]),
                (1...65_535).contains(given)
            else { return nil }
            port = given
        }
        path = String(rest.dropFirst(authority.count))
        guard path.isEmpty || path.hasPrefix("/") else { return nil }
        self.host = host
        self.port = port
        description = text
    }

    /// The field `Host` of a request (RFC 9110, section 7.2).
    var hostField: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

    /// A DNS name with at least two labels. The last one has a letter, so it is not an IPv4 address in any form.
    private static func isName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.last?.utf8.contains(where: { (0x61...0x7A).contains($0) }) ?? false else {
            return false
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != 0x2D && label.utf8.last != 0x2D
                && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
    }

    private static let ambiguous = Array("\"#<>@\\^`{|}[]".utf8)

    /// Printable ASCII, without the characters that are ambiguous in URLs: `"`, `#`, `<`, `>`, `@`, `\`, `^`, `` ` ``,
    /// `{`, `|`, `}`, `[`, `]`.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !ambiguous.contains(byte)
    }
}
