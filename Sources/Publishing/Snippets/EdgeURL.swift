internal import AASA

/// The public address of the edge, such as `https://edge.example.net`. It has a port if that is not the default.
///
/// It contains only letters, digits, hyphens, periods, `:` and `/`, so it needs no escaping in the configuration of any
/// server.
public struct EdgeURL: Hashable, Sendable, CustomStringConvertible {
    /// True if the address uses TLS.
    public let isSecure: Bool
    /// The host name. The certificate must contain it.
    public let host: String
    /// The port, or `nil` for the default.
    public let port: Int?

    /// Parses `http(s)://host` or `http(s)://host:port`. Returns `nil` for anything else, such as a path, a user or an
    /// IP address.
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

    /// The address in snippets if the edge's address is unknown. Nobody can register this name (RFC 2606).
    static let placeholder = EdgeURL(isSecure: true, host: "edge.example.net")

    /// The address as text, without a slash at the end.
    public var description: String {
        (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "")
    }

    /// The port, including the default.
    var effectivePort: Int { port ?? (isSecure ? 443 : 80) }
}
