/// The `applinks` domains of an app's entitlement `com.apple.developer.associated-domains`.
///
/// Their order in the entitlement is irrelevant [DOC].
public struct AssociatedDomains: Hashable, Sendable {
    /// The domains as the entitlement has them, such as `example.com` or `*.example.com?mode=developer`.
    public let domains: [String]

    /// Domains in any order.
    public init(_ domains: [String]) { self.domains = domains }

    /// The domains that name a host, in the order in which Apple's systems ask their files: "exact host entry before
    /// `*.`" [DOC WWDC19], "longer host before shorter" [REP].
    ///
    /// - Parameter host: In ASCII, in lower case.
    public func domains(naming host: String) -> [String] {
        let naming = domains.map { EntitlementDomain($0) }.filter { $0.names(host) }
        return naming.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.isWildcard != second.isWildcard { return second.isWildcard }
            let lengths = (first.host.utf8.count, second.host.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : left.offset < right.offset
        }.map(\.element.text)
    }

    /// The domain that lets a URL in; nil if any host is taken, or the URL has none.
    func check(_ host: String?) throws(Evaluation.Ineligibility) -> String? {
        guard let first = domains.first else { return nil }
        guard let host else {
            try EntitlementDomain(first).check(nil)
            return nil
        }
        if let domain = domains(naming: host).first { return domain }
        if domains.count == 1 { try EntitlementDomain(first).check(host) }
        throw Evaluation.Ineligibility(
            code: .otherHost, detail: "The URL's host is \(host), which none of the entitlement's domains names.")
    }

    /// What is doubtful about a domain's naming a host.
    func doubts(of domain: String, host: String) -> [(Certainty, String)] {
        let domain = EntitlementDomain(domain)
        guard domain.isWildcard else { return [] }
        if domain.host == host { return [(.unknown, "*.\(host) covers \(host) itself.")] }
        let above = host.utf8.count - domain.host.utf8.count - 1
        let isDeep = host.utf8.prefix(max(above, 0)).contains(UInt8(ascii: "."))
        return isDeep ? [(.reported, "A wildcard domain covers subdomains of any depth.")] : []
    }
}

/// The files of several of an app's domains.
public enum EntitledFiles {
    /// What becomes of a URL for one app, given the file of each of its domains: the files of the domains that name the
    /// URL's host are asked one after the other, "the parent only if the subdomain gave no match" [DOC WWDC19].
    ///
    /// That an exclusion leads on to the next file as well is reported only [REP]; ``Evaluation/certainty`` says so
    /// where it matters.
    ///
    /// - Parameters:
    ///   - url: An absolute URL.
    ///   - app: The app's ID.
    ///   - files: The app's domains, and the file of each; nil where there is none.
    ///   - system: The system that reads the files.
    /// - Returns: The evaluation of the file that decided, or of the last one asked; nil if no file speaks of the host.
    public static func evaluate(
        _ url: String, app: String, files: [(domain: String, file: Association?)], os system: SystemVersion = .latest
    ) -> Evaluation? {
        guard let host = (try? URLParts(url))?.host else { return nil }
        var last: Evaluation?
        for domain in AssociatedDomains(files.map(\.domain)).domains(naming: host) {
            guard let file = files.first(where: { $0.domain == domain })?.file else { continue }
            var evaluation = Explainer(file, os: system).evaluate(url, entitlementDomains: [domain]).limited(to: app)
            if last?.outcome == .excluded {
                if evaluation.outcome == .none { continue }
                evaluation.doubt(.reported, "After an exclusion the file of the parent domain is asked.")
            }
            last = evaluation
            if evaluation.outcome == .opens { return evaluation }
        }
        return last
    }
}

extension Evaluation {
    /// What the evaluation says of one app alone.
    public func limited(to app: String) -> Evaluation {
        guard let verdict = apps.first(where: { $0.app.utf8.elementsEqual(app.utf8) }) else {
            return Evaluation(
                url: url, outcome: .none, app: nil, apps: [], ineligibility: ineligibility, certainty: certainty,
                uncertainties: uncertainties, entitlementDomain: entitlementDomain, trace: trace.map { _ in [] })
        }
        return Evaluation(
            url: url, outcome: verdict.outcome, app: verdict.outcome == .opens ? verdict.app : nil, apps: [verdict],
            ineligibility: ineligibility, certainty: verdict.certainty, uncertainties: verdict.uncertainties,
            entitlementDomain: entitlementDomain, trace: trace?.filter { $0.app == verdict.app })
    }

    fileprivate mutating func doubt(_ certainty: Certainty, _ sentence: String) {
        self.certainty = max(self.certainty ?? .documented, certainty)
        uncertainties.append(sentence)
    }
}
