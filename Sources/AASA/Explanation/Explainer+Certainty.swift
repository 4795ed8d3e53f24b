import StrictJSON

extension Explainer {
    /// Determines the certainty of the evaluation and of each verdict. For each open rule that was used, evaluates the
    /// URL again with the alternative reading of the rule (see ``PatternReading``). If the outcome changes, it depends
    /// on that rule.
    func judge(
        _ evaluation: inout Evaluation, _ parts: URLParts?, _ domains: AssociatedDomains, while mayContinue: () -> Bool
    ) {
        var uncertainties = Uncertainties(count: evaluation.apps.count)
        for (certainty, sentence) in URLUncertainties.all(evaluation, parts, domains) {
            uncertainties.addToAll(certainty, sentence)
        }
        if let parts, evaluation.ineligibility == nil {
            addOpenRules(evaluation, parts, to: &uncertainties, while: mayContinue)
        }
        uncertainties.apply(to: &evaluation)
    }

    private func addOpenRules(
        _ evaluation: Evaluation, _ parts: URLParts, to uncertainties: inout Uncertainties,
        while mayContinue: () -> Bool
    ) {
        let outcomes = evaluation.apps.map(\.outcome)
        // "The scope of an exclusion is only the app (entry) that contains it" [REP].
        if outcomes.contains(.opens), outcomes.contains(.excluded) { uncertainties.add(.exclusionScope) }
        let base = reading(nil)
        if base.openRules.isEmpty, parts.isPlain { return }
        var work = Self.workForCertainty
        var met: Set<OpenRule> = []
        let verdicts = base.verdicts(texts(parts, base), &work, &met, while: mayContinue)
        for rule in OpenRule.allCases where met.contains(rule) && work > 0 {
            guard !rule.isOfOrder else { continue }
            work -= (base.ruleCount + base.apps.count / 10) * Self.workForRule
            if !mayContinue() { work = 0 }
            guard work > 0 else { break }
            let other = reading(rule)
            var ignored: Set<OpenRule> = []
            let others = other.outcomes(other.verdicts(texts(parts, other), &work, &ignored, while: mayContinue))
            if work > 0 { uncertainties.compare(others, with: base.outcomes(verdicts), rule) }
        }
        if met.contains(.appIDPrefixCase) {
            for (index, app) in base.apps.enumerated() where app.isRespelled && verdicts[index].outcome != .none {
                uncertainties.add(.appIDPrefixCase, to: index)
            }
        }
        let opening = verdicts.count { $0.outcome == .opens }
        if met.contains(.legacyDetailsOrder), opening > 1 { uncertainties.add(.legacyDetailsOrder) }
        if work <= 0 {
            uncertainties.addToAll(
                .unknown, "It was not determined how certain this is, because that would take too long.")
        }
    }
}

extension FileReading {
    /// The outcome of the URL for each app.
    fileprivate func outcomes(_ verdicts: [Verdict]) -> [Uncertainties.AppOutcome] {
        zip(apps, verdicts).map { ($0.id, $1.outcome) }
    }
}

extension OpenRule {
    /// Whether the rule concerns the order or the names of apps, not matching.
    fileprivate var isOfOrder: Bool { [.appIDPrefixCase, .legacyDetailsOrder, .exclusionScope].contains(self) }
}

/// The undocumented behaviour that an evaluation depends on.
private struct Uncertainties {
    typealias Uncertainty = (certainty: Certainty, sentence: String)
    typealias AppOutcome = (app: String, outcome: Evaluation.Outcome)

    private var ofAll: [Uncertainty] = []
    private var ofApps: [[Uncertainty]]

    init(count: Int) { ofApps = Array(repeating: [], count: count) }

    mutating func addToAll(_ certainty: Certainty, _ sentence: String) {
        ofAll.append((certainty, sentence))
        for index in ofApps.indices { ofApps[index].append((certainty, sentence)) }
    }

    mutating func add(_ rule: OpenRule) { ofAll.append((rule.certainty, rule.sentence)) }

    mutating func add(_ rule: OpenRule, to app: Int) {
        guard ofApps.indices.contains(app) else { return }
        ofApps[app].append((rule.certainty, rule.sentence))
        add(rule)
    }

    /// Compares the outcomes with those in the alternative reading of a rule. If they differ, adds the rule as an
    /// uncertainty to each affected app and to the whole evaluation. The alternative reading may find other apps in the
    /// file.
    mutating func compare(_ others: [AppOutcome], with outcomes: [AppOutcome], _ rule: OpenRule) {
        guard ofApps.count == outcomes.count else { return }
        let found = Dictionary(others.map { (Array($0.app.utf8), $0.outcome) }) { first, _ in first }
        for (index, outcome) in outcomes.enumerated() {
            if found[Array(outcome.app.utf8)] ?? .none == outcome.outcome { continue }
            ofApps[index].append((rule.certainty, rule.sentence))
        }
        let isSame =
            Self.opener(others) == Self.opener(outcomes)
            && others.contains { $0.outcome == .excluded } == outcomes.contains { $0.outcome == .excluded }
        if !isSame { add(rule) }
    }

    private static func opener(_ outcomes: [AppOutcome]) -> [UInt8]? {
        outcomes.first { $0.outcome == .opens }.map { Array($0.app.utf8) }
    }

    func apply(to evaluation: inout Evaluation) {
        evaluation.certainty = ofAll.map(\.certainty).max() ?? .documented
        evaluation.uncertainties = ofAll.map(\.sentence)
        for (index, uncertainties) in ofApps.enumerated() {
            evaluation.apps[index].certainty = uncertainties.map(\.certainty).max() ?? .documented
            evaluation.apps[index].uncertainties = uncertainties.map(\.sentence)
        }
    }
}

/// Uncertainties about a URL's scheme, host and port. They do not depend on the rules of the file.
private enum URLUncertainties {
    static func all(
        _ evaluation: Evaluation, _ parts: URLParts?, _ domains: AssociatedDomains
    ) -> [(Certainty, String)] {
        var uncertainties: [(Certainty, String)] = []
        switch evaluation.ineligibility?.code {
        case .port: uncertainties.append((.reported, "A URL with a port that is not the default never opens an app."))
        case .hostNotQualified: uncertainties.append((.reported, "A URL whose host has no period never opens an app."))
        case .tooComplex: uncertainties.append((.reported, "iOS gives up on patterns that are too complex."))
        case .fileRejected:
            uncertainties.append((.reported, "iOS 9 to 12 reject the whole file if it has such an entry."))
        case .scheme, .unparsable, .otherHost, .entitlementPort, .entitlementMalformed: break
        case nil: uncertainties += ofAcceptedURL(evaluation, parts, domains)
        }
        return uncertainties
    }

    private static func ofAcceptedURL(
        _ evaluation: Evaluation, _ parts: URLParts?, _ domains: AssociatedDomains
    ) -> [(Certainty, String)] {
        guard let parts, evaluation.outcome != .none else { return [] }
        var uncertainties: [(Certainty, String)] = []
        if parts.isRepaired(from: evaluation.url) {
            uncertainties.append((OpenRule.repairedURL.certainty, OpenRule.repairedURL.sentence))
        }
        let head = Array(evaluation.url.utf8.prefix { !"/?#".utf8.contains($0) })
        let authority = Array(evaluation.url.utf8.dropFirst(head.count + 2).prefix { !"/?#".utf8.contains($0) })
        if parts.host != nil {
            if head.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
                uncertainties.append((.reported, "The letter case of the scheme does not matter."))
            }
            if authority.contains(UInt8(ascii: "@")) {
                uncertainties.append((.inferred, "A user name in the URL does not matter."))
            }
            if authority.contains(UInt8(ascii: ":")) {
                uncertainties.append((.reported, "The default port in the URL does not matter."))
            }
        }
        if let host = parts.host, let domain = evaluation.entitlementDomain {
            uncertainties += domains.uncertainties(of: domain, host: host)
        }
        return uncertainties
    }
}

extension URLParts {
    /// Whether the URL contains only letters, digits and the usual separators. No open rule about URLs affects such a
    /// URL.
    var isPlain: Bool {
        let all = [path, query ?? [], fragment ?? []].joined()
        let isSimple = all.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-._~/=&".utf8.contains(byte)
            }
        }
        let (slash, equals) = (UInt8(ascii: "/"), UInt8(ascii: "="))
        let hasDots = path.split(separator: slash).contains { $0 == [0x2E] || $0 == [0x2E, 0x2E] }
        let items = (query ?? []).split(separator: UInt8(ascii: "&"))
        let hasSecondEquals = items.contains { item in item.count(where: { $0 == equals }) > 1 }
        let hasEndSlash = [query, fragment].contains { $0?.first == slash || $0?.last == slash }
        return isSimple && !hasDots && !hasSecondEquals && !hasEndSlash
    }

    /// Whether characters of the URL were percent-encoded to make it valid.
    func isRepaired(from url: String) -> Bool {
        let tail =
            path + (query.map { [UInt8(ascii: "?")] + $0 } ?? []) + (fragment.map { [UInt8(ascii: "#")] + $0 } ?? [])
        return !Array(url.utf8.suffix(tail.count)).elementsEqual(tail)
    }
}
