/// What an app's entitlement `com.apple.developer.associated-domains` says after `applinks:`.
struct EntitlementDomain {
    /// As the entitlement has it.
    let text: String
    /// The host, without `*.`.
    let host: String
    /// Whether it stands for the subdomains.
    let isWildcard: Bool
    private let hasPort: Bool

    /// Reads a domain: `example.com`, `*.example.com`, either with `?mode=…` behind it [DOC]; `applinks:` before it may
    /// stand or lack. Hosts compare in ASCII: "IDN as punycode" [DOC]. A `*` in any other place is no wildcard [INF].
    init(_ text: String) {
        self.text = text
        var domain = text.split(separator: "?", omittingEmptySubsequences: false).first.map { $0.lowercased() } ?? ""
        if domain.hasPrefix("applinks:") { domain.removeFirst("applinks:".count) }
        hasPort = domain.contains(":")
        isWildcard = domain.hasPrefix("*.")
        if isWildcard { domain.removeFirst(2) }
        host = domain
    }

    /// Whether the domain names a host. "`*.example.com` matches subdomains of any depth" [DOC]/[REP]; that it covers
    /// the apex too is open (archived guide: no; [REP]: yes).
    func names(_ urlHost: String) -> Bool {
        if hasPort { return false }
        if urlHost == host { return true }
        return isWildcard && urlHost.utf8.suffix(host.utf8.count + 1).elementsEqual(".\(host)".utf8)
    }

    /// Checks the host of a URL; nil is the host of a relative URL, which is on the domain by definition.
    func check(_ urlHost: String?) throws(Evaluation.Ineligibility) {
        // TN3155 [DOC]: an applinks entitlement with a port "does not work".
        if hasPort {
            throw Evaluation.Ineligibility(
                code: .entitlementPort, detail: "An applinks entitlement with a port does not work.")
        }
        guard let urlHost, !names(urlHost) else { return }
        throw Evaluation.Ineligibility(
            code: .otherHost, detail: "The URL's host is \(urlHost), which the entitlement does not name.")
    }
}
