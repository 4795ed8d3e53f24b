/// The files of the domains in an app's entitlement. iOS uses them one after another.
///
/// Intermediate results are cached. Use one instance for many URLs, on one thread.
public final class EntitledFiles {
    private let domains: AssociatedDomains
    private let explainers: [(domain: String, explainer: Explainer)]

    /// Creates the list from the app's domains, such as `www.example.com` or `*.example.com`, each with the file that
    /// it serves.
    public init(_ files: [(domain: String, file: Association)], os system: SystemVersion = .latest) {
        domains = AssociatedDomains(files.map(\.domain))
        explainers = files.map { ($0.domain, Explainer($0.file, os: system)) }
    }

    /// Evaluates a URL for one app. Uses the files of the domains that cover the URL's host, in this order: the exact
    /// host before wildcards, and "the parent only if the subdomain gave no match" [DOC WWDC19].
    ///
    /// After an exclusion, iOS is reported to continue with the next file [REP]. If the outcome depends on this,
    /// ``Evaluation/certainty`` shows it.
    ///
    /// - Parameters:
    ///   - url: An absolute URL.
    ///   - app: The app's ID.
    ///   - explanation: Whether to add ``Evaluation/trace``.
    /// - Returns: The evaluation of the file that decided, or of the last file. ``Evaluation/entitlementDomain`` is the
    ///   domain of this file. If no domain covers the host, the evaluation has an ``Evaluation/ineligibility``.
    public func evaluate(
        _ url: String, app: String, explaining explanation: Explainer.Explanation = .nothing
    ) -> Evaluation {
        let host = (try? URLParts(url))?.host
        var last: Evaluation?
        for domain in host.map(domains.domains(naming:)) ?? [] {
            guard let explainer = explainers.first(where: { $0.domain == domain })?.explainer else { continue }
            var evaluation = explainer.evaluate(url, entitlementDomains: [domain], explaining: explanation)
                .limited(to: app)
            if last?.outcome == .excluded {
                if evaluation.outcome == .none { continue }
                evaluation.addUncertainty(.reported, "After an exclusion, iOS consults the file of the parent domain.")
            }
            last = evaluation
            if evaluation.outcome == .opens { return evaluation }
        }
        return last ?? refusal(url, host, app)
    }

    private func refusal(_ url: String, _ host: String?, _ app: String) -> Evaluation {
        let reason: Evaluation.Ineligibility
        do {
            _ = try URLParts(url)
            _ = try domains.check(host)
            reason = Evaluation.Ineligibility(
                code: .otherHost, detail: "The URL has no host, so no domain of the entitlement covers it.")
        } catch {
            reason = error
        }
        return Evaluation(
            url: url, outcome: .none, app: nil, apps: [], ineligibility: reason, certainty: .documented)
    }
}

extension Evaluation {
    /// The evaluation for a single app.
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

    fileprivate mutating func addUncertainty(_ certainty: Certainty, _ sentence: String) {
        self.certainty = max(self.certainty ?? .documented, certainty)
        uncertainties.append(sentence)
    }
}
