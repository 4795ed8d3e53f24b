/// What an app's entitlement `com.apple.developer.associated-domains` says after `applinks:`.
struct EntitlementDomain {
    private let host: String
    private let isWildcard: Bool
    private let hasPort: Bool

    /// Reads a domain: `example.com`, `*.example.com`, either with `?mode=…` behind it [DOC].
    init(_ text: String) {
        var domain = text.split(separator: "?", omittingEmptySubsequences: false).first.map { $0.lowercased() } ?? ""
        hasPort = domain.contains(":")
        isWildcard = domain.hasPrefix("*.")
        if isWildcard { domain.removeFirst(2) }
        host = domain
    }

    /// Checks the host of a URL; nil is the host of a relative URL, which is on the domain by definition.
    func check(_ urlHost: String?) throws(Evaluation.Ineligibility) {
        // TN3155 [DOC]: an applinks entitlement with a port "does not work".
        if hasPort {
            throw Evaluation.Ineligibility(
                code: .entitlementPort, detail: "An applinks entitlement with a port does not work.")
        }
        guard let urlHost, urlHost != host else { return }
        // "`*.example.com` matches subdomains of any depth" [DOC]/[REP]; that it covers the apex too is open (archived
        // guide: no; [REP]: yes).
        if isWildcard, urlHost.utf8.suffix(host.utf8.count + 1).elementsEqual(".\(host)".utf8) { return }
        throw Evaluation.Ineligibility(
            code: .otherHost, detail: "The URL's host is \(urlHost), which the entitlement does not name.")
    }
}
