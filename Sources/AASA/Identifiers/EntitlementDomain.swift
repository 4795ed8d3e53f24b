/// A domain from an app's entitlement `com.apple.developer.associated-domains`: the text after `applinks:`.
struct EntitlementDomain {
    /// The domain as written in the entitlement.
    let text: String
    /// The host without `*.`. Empty if the domain is invalid.
    let host: String
    /// Whether the domain covers subdomains.
    let isWildcard: Bool
    /// The reason why the domain is invalid, or `nil` if it is valid.
    private let fault: Evaluation.Ineligibility?

    /// Reads a domain: `example.com` or `*.example.com`. An `applinks:` before it and a `?mode=…` after it are optional
    /// [DOC].
    ///
    /// The sources of the checks:
    /// - "`service:fqdn`, no scheme, path, or trailing slash; IDN as punycode" [DOC]
    /// - "not a bare TLD" [REP]
    /// - "no inner or partial wildcard" [DOC]/[INF]
    /// - TN3155: an applinks entitlement with a port "does not work" [DOC]
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

    /// Whether the domain covers a host. "`*.example.com` matches subdomains of any depth" [DOC]/[REP]. The sources
    /// disagree about `example.com` itself: Apple's archived guide excludes it, and reports include it [REP]. Waymark
    /// includes it.
    func names(_ urlHost: String) -> Bool {
        if fault != nil { return false }
        if urlHost == host { return true }
        return isWildcard && urlHost.utf8.suffix(host.utf8.count + 1).elementsEqual(".\(host)".utf8)
    }

    /// Checks that the domain covers the host of a URL.
    ///
    /// - Parameter urlHost: The host, or `nil` for a relative URL. A relative URL always passes, because it is on the
    ///   domain.
    /// - Throws: The reason why an app with this domain cannot open the URL.
    func check(_ urlHost: String?) throws(Evaluation.Ineligibility) {
        if let fault { throw fault }
        guard let urlHost, !names(urlHost) else { return }
        throw Evaluation.Ineligibility(
            code: .otherHost, detail: "The entitlement does not cover the URL's host, \(urlHost).")
    }

    private static func fault(of domain: String, in text: String) -> Evaluation.Ineligibility? {
        let parts = domain.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Evaluation.Ineligibility(
                code: .entitlementPort, detail: "An applinks entitlement with a port does not work. Remove the port.")
        }
        do {
            _ = try Host(domain)
            if !domain.hasSuffix(".") { return nil }
            return malformed(text, "ends with a period")
        } catch {
            return malformed(text, parts.count == 2 ? "has a scheme, or a service other than applinks" : error.detail)
        }
    }

    private static func malformed(_ text: String, _ reason: String) -> Evaluation.Ineligibility {
        Evaluation.Ineligibility(
            code: .entitlementMalformed,
            detail: "The entitlement \(text) is not valid: it \(reason). Write a host such as www.example.com, or "
                + "*.example.com for its subdomains.")
    }
}
