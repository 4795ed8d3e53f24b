extension Evaluation {
    /// Returns this evaluation with the URL as the user typed it, instead of the URL with its host in ASCII.
    ///
    /// If the two URLs differ, an outcome other than ``Outcome/none`` is at most as certain as ``Certainty/inferred``:
    /// the outcome depends on iOS converting a Unicode host to punycode, and Apple documents this only for
    /// entitlements. The outcome ``Outcome/none`` does not depend on the conversion.
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
