/// An origin (RFC 6454, section 4): a scheme, a host and a port.
public struct Origin: Hashable, Sendable {
    /// True if the scheme is https.
    public let isSecure: Bool
    /// The host in lower case, without a trailing period. An IPv6 address is in brackets.
    let host: String
    let port: Int

    /// The origin as text, without a default port.
    var text: String {
        (isSecure ? "https://" : "http://") + host + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    }

    /// Reads a single origin in ASCII, `http(s)://host` or `http(s)://host:port` (RFC 6454, section 6.2). Returns `nil`
    /// for any other text, such as `null`, a list, or a URL with a path or user.
    public init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        self.init(isSecure: scheme == "https://", authority: String(text.dropFirst(scheme.utf8.count)))
    }

    /// Creates the origin of a `Host` field and a scheme. Returns `nil` if the field is malformed. The default port may
    /// be omitted (RFC 9110, section 4.2.3).
    init?(isSecure: Bool, authority: String) {
        guard Framing.isHost(authority.utf8) else { return nil }
        let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let host = authority[..<(colon ?? authority.endIndex)].lowercased()
        let port = colon.map { authority[authority.index(after: $0)...] } ?? ""
        self.isSecure = isSecure
        self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
        self.port = Int(port) ?? (isSecure ? 443 : 80)
        guard !self.host.isEmpty, port.isEmpty || (1...65_535).contains(self.port) else { return nil }
    }
}
