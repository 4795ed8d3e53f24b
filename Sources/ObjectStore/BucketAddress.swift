internal import Hex

/// The address of a bucket.
public struct BucketAddress: Hashable, Sendable {
    /// The place of the bucket's name in the URL.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// In the path: `https://s3.example.net/bucket/key`.
        case path
        /// In the host: `https://bucket.s3.example.net/key`.
        case virtualHost
    }

    /// The region in signatures.
    public let region: String
    /// The bucket's name.
    public let bucket: String

    private let scheme: String
    private let authority: String
    private let style: Style

    /// Creates an address. Returns `nil` unless all of these are true:
    ///
    /// - The endpoint is `http(s)://host` or `http(s)://host:port`.
    /// - The region consists of letters, digits and hyphens.
    /// - The bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens, and begins and ends with a letter
    ///   or a digit.
    public init?(endpoint: String, region: String, bucket: String, style: Style) {
        let parts = endpoint.split(separator: "://", maxSplits: 1)
        guard parts.count == 2, parts[0] == "http" || parts[0] == "https" else { return nil }
        let authority = parts[1].hasSuffix("/") ? parts[1].dropLast() : parts[1]
        guard Self.isAuthority(authority), region.wholeMatch(of: /[A-Za-z0-9\-]+/) != nil,
            bucket.wholeMatch(of: /[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]/) != nil
        else { return nil }
        scheme = String(parts[0])
        self.authority = String(authority)
        self.region = region
        self.bucket = bucket
        self.style = style
    }

    /// True if the style works for this bucket. `virtualHost` does not work with an IP address. Over https, it does not
    /// work with a period in the bucket's name, because the `*` of a certificate matches only one label (RFC 6125,
    /// 6.4.3).
    public var isUsable: Bool {
        guard style == .virtualHost else { return true }
        let host = authority.prefix { $0 != ":" }
        let isIP = authority.hasPrefix("[") || host.allSatisfy { $0 == "." || $0.isNumber }
        return !isIP && !(scheme == "https" && bucket.contains("."))
    }

    /// The bucket's URL, without a slash at the end.
    public var url: String { "\(scheme)://\(host)\(style == .path ? "/\(bucket)" : "")" }

    /// The `Host` header of a request.
    var host: String {
        let usual = scheme == "https" ? ":443" : ":80"
        let authority = authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
        return style == .path ? authority : "\(bucket).\(authority)"
    }

    /// The percent-encoded path of a key, or of the bucket itself if the key is empty.
    func path(_ key: String) -> String {
        (style == .path ? "/\(bucket)/" : "/") + PercentEncoding.encode(key, keepingSlashes: true)
    }

    /// The URL of a path.
    func url(_ path: String, query: String) -> String {
        "\(scheme)://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")"
    }

    // A port above 65,535 would crash the process in the HTTP client.
    private static func isAuthority(_ text: Substring) -> Bool {
        guard let match = text.wholeMatch(of: /(?:[A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?/) else {
            return false
        }
        return match.1.map { (1...65_535).contains(Int($0) ?? 0) } ?? true
    }
}
