/// What an app's entitlement `com.apple.developer.associated-domains` says after `applinks:`.
struct EntitlementDomain {
    /// As the entitlement has it.
    let text: String
    /// The host, without `*.`; empty if the domain is faulty.
    let host: String
    /// Whether it stands for the subdomains.
    let isWildcard: Bool
    /// Why it names no host at all; nil if it may name some.
    private let fault: Evaluation.Ineligibility?

    /// Reads a domain: `example.com`, `*.example.com`, either with `?mode=…` behind it [DOC]; `applinks:` before it may
    /// stand or lack. "`service:fqdn`, no scheme, path, or trailing slash; IDN as punycode" [DOC], "not a bare TLD"
    /// [REP], "no inner or partial wildcard" [DOC]/[INF]; TN3155 [DOC]: an applinks entitlement with a port "does not
    /// work".
    init(_ text: String) {
        self.text = text
        var domain = text.split(separator: "?", omittingEmptySubsequences: false).first.map { $0.lowercased() } ?? ""
        if domain.hasPrefix("applinks:") { domain.removeFirst("applinks:".count) }
        isWildcard = domain.hasPrefix("*.")
        if isWildcard { domain.removeFirst(2) }
        let fault = Self.fault(of: domain, in: text)
        self.fault = fault
        host = fault == nil ? domain : ""
    }

    /// Whether the domain names a host. "`*.example.com` matches subdomains of any depth" [DOC]/[REP]; that it covers
    /// the apex too is open (archived guide: no; [REP]: yes).
    func names(_ urlHost: String) -> Bool {
        if fault != nil { return false }
        if urlHost == host { return true }
        return isWildcard && urlHost.utf8.suffix(host.utf8.count + 1).elementsEqual(".\(host)".utf8)
    }

    /// Checks the host of a URL; nil is the host of a relative URL, which is on the domain by definition.
    func check(_ urlHost: String?) throws(Evaluation.Ineligibility) {
        if let fault { throw fault }
        guard let urlHost, !names(urlHost) else { return }
        throw Evaluation.Ineligibility(
            code: .otherHost, detail: "The URL's host is \(urlHost), which the entitlement does not name.")
    }

    private static func fault(of domain: String, in text: String) -> Evaluation.Ineligibility? {
        let parts = domain.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Evaluation.Ineligibility(
                code: .entitlementPort, detail: "An applinks entitlement with a port does not work.")
        }
        do {
            _ = try Host(domain)
            if !domain.hasSuffix(".") { return nil }
            return malformed(text, "ends with a period")
        } catch {
            return malformed(text, parts.count == 2 ? "names a scheme or another service than applinks" : error.detail)
        }
    }

    private static func malformed(_ text: String, _ reason: String) -> Evaluation.Ineligibility {
        Evaluation.Ineligibility(
            code: .entitlementMalformed,
            detail: "The entitlement \(text) names no host: it \(reason). It takes a host such as www.example.com, or "
                + "*.example.com for the hosts under it.")
    }
}
