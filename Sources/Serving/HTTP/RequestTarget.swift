/// The parts of the request target (RFC 9112 section 3.2) that the edge needs.
struct RequestTarget {
    private static let wellKnown: StaticString = "/.well-known/apple-app-site-association"
    private static let root: StaticString = "/apple-app-site-association"

    private static let hosts: StaticString = "/hosts/"

    /// The authority of a target in absolute form, or `nil` for the other forms.
    let authority: Substring.UTF8View?
    /// The host in a path such as `/hosts/www.example.com` followed by one of the two paths. A web server that forwards
    /// the paths of another site uses this form, because many servers cannot send that site's name as `Host`.
    let namedHost: Substring.UTF8View?
    /// True if the path, without a host in it, is exactly one of the two paths. Ignores the query.
    let isAssociationFile: Bool

    /// Parses a target. Returns `nil` if an absolute form is not an `http` or `https` URL with a host and without a
    /// user. Returns `nil` if a path begins with `//`, because some programs read its beginning as a host.
    init?(_ uri: String.UTF8View) {
        if uri.first == UInt8(ascii: "/") {
            guard !Self.beginsWithTwoSlashes(uri[...]) else { return nil }
            authority = nil
            (namedHost, isAssociationFile) = Self.file(of: uri[...])
            return
        }
        guard let start = Self.afterScheme(uri) else {
            // `*` and the `host:port` of CONNECT are valid, but do not identify a file.
            let isAsterisk = uri.elementsEqual("*".utf8)
            guard isAsterisk || !uri.contains(UInt8(ascii: "/")) else { return nil }
            authority = nil
            namedHost = nil
            isAssociationFile = false
            return
        }
        let rest = uri[start...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let authority = rest[..<(end ?? rest.endIndex)]
        // RFC 9110 section 4.2.4: treat a user in an http URL as an error, because it may be meant to deceive.
        guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return nil }
        guard !Self.beginsWithTwoSlashes(rest[authority.endIndex...]) else { return nil }
        self.authority = authority
        (namedHost, isAssociationFile) = Self.file(of: rest[(end ?? rest.endIndex)...])
    }

    private static func beginsWithTwoSlashes(_ path: Substring.UTF8View) -> Bool {
        path.prefix(2).elementsEqual("//".utf8)
    }

    private static func file(of target: Substring.UTF8View) -> (host: Substring.UTF8View?, isAssociationFile: Bool) {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        if isAssociationFile(path) { return (nil, true) }
        let prefix = path.prefix(hosts.utf8CodeUnitCount)
        guard equals(prefix, hosts) else { return (nil, false) }
        let host = path[prefix.endIndex...].prefix { $0 != UInt8(ascii: "/") }
        return isAssociationFile(path[host.endIndex...]) ? (host, true) : (nil, false)
    }

    private static func isAssociationFile(_ path: Substring.UTF8View) -> Bool {
        equals(path, wellKnown) || equals(path, root)
    }

    private static func equals(_ path: Substring.UTF8View, _ expected: StaticString) -> Bool {
        path.count == expected.utf8CodeUnitCount && expected.withUTF8Buffer { path.elementsEqual($0) }
    }

    /// Returns the position after `http://` or `https://`. Schemes are case-insensitive.
    private static func afterScheme(_ uri: String.UTF8View) -> String.UTF8View.Index? {
        for scheme in ["http://", "https://"] {
            let prefix = uri.prefix(scheme.utf8.count)
            if prefix.elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 | 0x20 }) { return prefix.endIndex }
        }
        return nil
    }
}
