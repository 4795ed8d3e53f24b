internal import AASA

/// Where the world reaches the edge: `https://edge.example.net`, with a port if it is not the usual one.
///
/// It holds letters, digits, hyphens, periods, `:` and `/` alone, so that it can stand in the configuration of any server
/// without being escaped.
public struct EdgeURL: Hashable, Sendable, CustomStringConvertible {
    /// Whether TLS ends at that address.
    public let isSecure: Bool
    /// The name, which its certificate has to carry.
    public let host: String
    /// The port where it is not the usual one.
    public let port: Int?

    /// Reads `http(s)://host` or `http(s)://host:port`; nil for anything else: a path, a user, an IP address.
    public init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        let authority = text.dropFirst(scheme.utf8.count).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(authority.count), let host = try? Host(String(authority[0])) else { return nil }
        var port: Int?
        if authority.count == 2 {
            guard authority[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(authority[1]), (1...65_535).contains(number)
            else { return nil }
            port = number
        }
        self.init(isSecure: scheme == "https://", host: host.description, port: port)
    }

    private init(isSecure: Bool, host: String, port: Int? = nil) {
        self.isSecure = isSecure
        self.host = host
        self.port = port == (isSecure ? 443 : 80) ? nil : port
    }

    /// Stands in for an address that is not known, under a name that nobody can register (RFC 2606).
    static let placeholder = EdgeURL(isSecure: true, host: "edge.example.net")

    /// The text, without a slash at the end.
    public var description: String {
        (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "")
    }

    /// The port, the usual one too.
    var effectivePort: Int { port ?? (isSecure ? 443 : 80) }
}
