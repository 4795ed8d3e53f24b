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
