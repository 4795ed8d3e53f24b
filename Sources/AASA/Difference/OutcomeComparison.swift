import StrictJSON

/// Compares the outcomes of URLs in two files on one system.
struct OutcomeComparison {
    private let system: SystemVersion
    private let before: CompiledAssociation
    private let after: CompiledAssociation
    private let weight: Int
    /// The apps of both files, with the indices of their verdicts.
    private let apps: [(id: String, before: Int?, after: Int?)]

    private typealias Change = Difference.OutcomeChange

    init(_ before: Association, _ after: Association, os system: SystemVersion) {
        self.system = system
        self.before = CompiledAssociation(before, os: system)
        self.after = CompiledAssociation(after, os: system)
        weight = [before, after].reduce(0) { sum, file in
            let variables = VariableValues(file.applinks?["substitutionVariables"])
            return sum + EvaluationAllowance.weight(of: file.placedEntries(os: system), variables, os: system)
        }
        let (old, new) = (Self.places(self.before.appIDs), Self.places(self.after.appIDs))
        apps =
            self.after.appIDs.enumerated().map { ($1, old[Array($1.utf8)], $0) }
            + self.before.appIDs.enumerated().filter { new[Array($1.utf8)] == nil }.map { ($1, $0, nil) }
    }

    /// Subtracts the cost of evaluating a URL from the allowance. Returns false if the remaining allowance is too
    /// small.
    func canTry(_ url: String, _ allowance: inout EvaluationAllowance) -> Bool { allowance.spend(weight, for: url) }

    /// The change of a URL's outcome, or `nil` if the outcome is the same for the file as a whole and for every app. A
    /// different deciding rule with the same outcome is not a change.
    func change(_ url: String, isGiven: Bool) -> Difference.OutcomeChange? {
        let (old, new) = (before.evaluate(url), after.evaluate(url))
        let changes = apps.compactMap { app -> Change.AppChange? in
            let verdicts = (Self.verdict(app.before, old), Self.verdict(app.after, new))
            if verdicts.0.outcome == verdicts.1.outcome { return nil }
            return Change.AppChange(app: app.id, before: verdicts.0, after: verdicts.1)
        }
        let (wholeBefore, wholeAfter) = (Self.verdict(old), Self.verdict(new))
        if changes.isEmpty, wholeBefore.outcome == wholeAfter.outcome, wholeBefore.app == wholeAfter.app { return nil }
        return Change(
            url: url, isGiven: isGiven, system: system, before: wholeBefore, after: wholeAfter, apps: changes)
    }

    private static func places(_ apps: [String]) -> [[UInt8]: Int] {
        Dictionary(apps.enumerated().map { (Array($1.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The verdict for the file as a whole. If an app opens the URL, the deciding rule is the rule of this app.
    /// Otherwise it is the first rule that excludes the URL.
    private static func verdict(_ evaluation: Evaluation) -> Change.Verdict {
        let deciding = evaluation.apps.first { $0.outcome == evaluation.outcome }
        return Change.Verdict(
            outcome: evaluation.outcome, app: evaluation.app, decidedBy: deciding?.decidedBy)
    }

    private static func verdict(_ place: Int?, _ evaluation: Evaluation) -> Change.Verdict {
        guard let place, evaluation.apps.indices.contains(place) else {
            return Change.Verdict(outcome: .none, app: nil, decidedBy: nil)
        }
        let verdict = evaluation.apps[place]
        return Change.Verdict(outcome: verdict.outcome, app: verdict.app, decidedBy: verdict.decidedBy)
    }
}
