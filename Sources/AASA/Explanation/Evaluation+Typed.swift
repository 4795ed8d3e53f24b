extension Evaluation {
    /// The evaluation of a URL that somebody typed, from that of the URL with its host in ASCII.
    ///
    /// That Apple's systems read a Unicode host as its punycode is inferred: of entitlements alone is it documented. What
    /// comes out of no rule does not rest on it.
    ///
    /// - Parameter typed: The URL as typed, which the answer names.
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
    fileprivate static let typedHost = "A Unicode name in a URL is read as its punycode."

    fileprivate var withTypedHost: Self {
        var verdict = self
        if outcome != .none, let certainty {
            verdict.certainty = max(certainty, .inferred)
            verdict.uncertainties.append(Self.typedHost)
        }
        return verdict
    }
}
