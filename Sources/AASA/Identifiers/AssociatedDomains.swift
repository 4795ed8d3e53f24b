/// The `applinks` domains of an app's entitlement `com.apple.developer.associated-domains`.
///
/// Their order in the entitlement does not matter [DOC].
public struct AssociatedDomains: Hashable, Sendable {
    /// The domains as written in the entitlement, such as `example.com` or `*.example.com?mode=developer`.
    public let domains: [String]

    /// Creates the list from domains in any order.
    public init(_ domains: [String]) { self.domains = domains }

    /// The domains that cover a host, in the order in which iOS looks up their files: "exact host entry before `*.`"
    /// [DOC WWDC19], "longer host before shorter" [REP].
    ///
    /// - Parameter host: The host, in ASCII and lower case.
    public func domains(naming host: String) -> [String] {
        let naming = domains.map { EntitlementDomain($0) }.filter { $0.names(host) }
        return naming.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.isWildcard != second.isWildcard { return second.isWildcard }
            let lengths = (first.host.utf8.count, second.host.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : left.offset < right.offset
        }.map(\.element.text)
    }

    /// Returns the domain that covers a URL's host, or `nil` if the list is empty or the URL has no host.
    ///
    /// - Throws: ``Evaluation/Ineligibility`` if no domain covers the host.
    func check(_ host: String?) throws(Evaluation.Ineligibility) -> String? {
        guard let first = domains.first else { return nil }
        guard let host else {
            try EntitlementDomain(first).check(nil)
            return nil
        }
        if let domain = domains(naming: host).first { return domain }
        if domains.count == 1 { try EntitlementDomain(first).check(host) }
        throw Evaluation.Ineligibility(
            code: .otherHost, detail: "No domain of the entitlement covers the URL's host, \(host).")
    }

    /// Describes the undocumented behaviour that decides whether a domain covers a host. Each sentence has its
    /// certainty.
    func uncertainties(of domain: String, host: String) -> [(Certainty, String)] {
        let domain = EntitlementDomain(domain)
        guard domain.isWildcard else { return [] }
        if domain.host == host { return [(.unknown, "*.\(host) also covers \(host) itself.")] }
        let above = host.utf8.count - domain.host.utf8.count - 1
        let isDeep = host.utf8.prefix(max(above, 0)).contains(UInt8(ascii: "."))
        return isDeep ? [(.reported, "A wildcard domain covers subdomains of any depth.")] : []
    }
}
