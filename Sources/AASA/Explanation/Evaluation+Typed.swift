extension Evaluation {
    /// Converts the evaluation of a URL with an ASCII host to the evaluation of the URL as a person typed it.
    ///
    /// It is inferred that iOS converts a Unicode host to punycode. Apple documents this only for entitlements. If no
    /// rule matches, the outcome does not depend on it.
    ///
    /// - Parameter typed: The URL as typed. It becomes the evaluation's URL.
    public func ofTyped(_ typed: String) -> Evaluation {
        if typed.utf8.elementsEqual(url.utf8) { return self }
        var evaluation = Evaluation(
            url: typed, outcome: outcome, app: app, apps: apps.map(\.withTypedHost), ineligibility: ineligibility,
            certainty: certainty, uncertainties: uncertainties, entitlementDomain: entitlementDomain, trace: trace)
        if outcome != .none, let certainty {
            evaluation.certainty = max(certainty, .inferred)
            evaluation.uncertainties.append(AppVerdict.typedHost)
        }
        return evaluation
    }
}

extension Evaluation.AppVerdict {
    fileprivate static let typedHost = "A Unicode host in a URL is read as its punycode."

    fileprivate var withTypedHost: Self {
        var verdict = self
        if outcome != .none, let certainty {
            verdict.certainty = max(certainty, .inferred)
            verdict.uncertainties.append(Self.typedHost)
        }
        return verdict
    }
}
