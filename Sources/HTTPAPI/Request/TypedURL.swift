public import AASA

/// Converts the host in a typed URL or entitlement to ASCII, as ``Host/init(typed:)`` does.
public enum TypedURL {
    /// Converts the host of a URL to ASCII. If the host is already ASCII or is not a valid name, returns the URL
    /// unchanged, so that later checks report the fault.
    public static func inASCII(_ url: String) -> String {
        // Work on bytes, because a single character can be as long as the whole text.
        let text = url.utf8[...]
        guard let mark = text.firstIndex(where: { ":/?#".utf8.contains($0) }), text[mark...].starts(with: "://".utf8)
        else { return url }
        let start = text.index(mark, offsetBy: 3)
        let authority = text[start...].prefix { !"/?#".utf8.contains($0) }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let named = at.map { authority[authority.index(after: $0)...] } ?? authority
        let host = Substring(named.prefix { $0 != UInt8(ascii: ":") })
        guard !isASCII(host), let ascii = try? Host(typed: String(host)) else { return url }
        return "\(url[..<host.startIndex])\(ascii)\(url[host.endIndex...])"
    }

    /// Converts the host of an entitlement's domain, such as `*.example.com`, to ASCII. If the host is already ASCII or
    /// is not a valid name, returns the domain unchanged.
    public static func inASCII(entitlement: String) -> String {
        let host = host(ofEntitlement: entitlement)
        guard !isASCII(host), let ascii = try? Host(typed: String(host)) else { return entitlement }
        return "\(entitlement[..<host.startIndex])\(ascii)\(entitlement[host.endIndex...])"
    }

    /// Does the same as ``inASCII(entitlement:)``, but throws an error for an invalid domain.
    /// - Throws: `UnusableHost` with the reason.
    static func checked(entitlement: String) throws(UnusableHost) -> String {
        let host = host(ofEntitlement: entitlement)
        return "\(entitlement[..<host.startIndex])\(try Host(typed: String(host)))\(entitlement[host.endIndex...])"
    }

    /// Evaluates a URL as typed.
    ///
    /// - Parameter evaluate: Evaluates the URL with its host in ASCII.
    public static func evaluation(of url: String, _ evaluate: (String) -> Evaluation) -> Evaluation {
        evaluate(inASCII(url)).ofTyped(url)
    }

    /// The host in an entitlement, without `applinks:`, `*.` and `?mode=…`.
    private static func host(ofEntitlement text: String) -> Substring {
        var host = Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") })
        for prefix in ["applinks:", "*."] where host.lowercased().hasPrefix(prefix) { host.removeFirst(prefix.count) }
        return host
    }

    private static func isASCII(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
