import StrictJSON

/// Finds exclusions of URLs that an earlier rule opens: "top to bottom, first one that matches decides" [DOC]/[OBS].
extension Linter {
    /// The maximum number of earlier rules that are evaluated for each exclusion.
    private static let attempts = 4

    func lintPartialExclusions() {
        for (number, entry) in entries.enumerated() {
            guard let app = firstApps[number], let rules = entry.rules, let list = entry.listPointer,
                !causes.lie(in: list)
            else { continue }
            lintPartialExclusions(rules, app)
            if budget.isExhausted { return }
        }
    }

    private func lintPartialExclusions(_ rules: [RuleShape], _ app: Int) {
        guard let first = rules.firstIndex(where: { !$0.excludes }),
            rules[first...].contains(where: \.excludes)
        else { return }
        var search = PartialExclusions(rules)
        for (opening, exclusion) in search.pairs(&budget) {
            guard search.attempts[exclusion, default: 0] < Self.attempts, !search.told.contains(exclusion),
                !search.told.contains(opening), budget.spend(1)
            else { continue }
            let (rule, other) = (rules[opening], rules[exclusion])
            guard !contradicted.contains(other.pointer), rule.mayMeetPlain(other),
                budget.spend(rule.size * other.size / 4), !rule.coversPlain(other), !other.coversPlain(rule)
            else { continue }
            search.attempts[exclusion, default: 0] += 1
            guard let url = ExampleURL.meeting(other, rule, &budget), !url.utf8.contains(UInt8(ascii: "%")),
                decide(url) != nil,
                let verdict = verdict(ofApp: app), verdict.outcome == .opens, verdict.decidedBy == rule.pointer
            else { continue }
            search.told.insert(rule.isOfFixedLength ? opening : exclusion)
            report(rule, opens: url, of: other)
        }
    }

    private func report(_ rule: RuleShape, opens url: String, of exclusion: RuleShape) {
        let place = rule.isOfFixedLength ? rule.pointer : exclusion.pointer
        let problem =
            rule.isOfFixedLength
            ? FindingKind.openingWildcard(url: url, exclusion: exclusion.pointer.ruleName)
            : .overlappedExclusion(url: url, opener: rule.pointer.ruleName)
        guard let copy = source.copy(of: exclusion.pointer, before: rule.pointer),
            let removal = source.removal(of: exclusion.pointer)
        else { return add(problem, place) }
        let title = "Move \(exclusion.pointer.ruleName) above \(rule.pointer.ruleName)"
        add(problem, place, fix: Fix(title: title, keepsOutcomes: false, edits: [copy, removal]))
    }
}

/// The pairs of a rule that opens URLs and a later exclusion that may match one of them.
private struct PartialExclusions {
    /// The number of rules tried for each exclusion.
    var attempts: [Int: Int] = [:]
    /// The rules that already have a finding.
    var told: Set<Int> = []

    private let rules: [RuleShape]
    private let beginnings: [RuleBeginnings?]

    init(_ rules: [RuleShape]) {
        self.rules = rules
        beginnings = rules.map { $0.isDefective || !$0.isCertain ? nil : RuleBeginnings($0, spelledOut: true) }
    }

    /// The pairs to check. The index finds only rules whose beginning is not longer, so each pair is looked up from
    /// both sides. The result is incomplete if the budget is exhausted.
    func pairs(_ budget: inout LintBudget) -> [(opening: Int, exclusion: Int)] {
        var pairs: [(opening: Int, exclusion: Int)] = []
        var openings = RuleIndex()
        for (place, rule) in rules.enumerated() {
            guard let own = beginnings[place] else { continue }
            if rule.excludes {
                for found in openings.meeting(own, &budget).joined() {
                    guard budget.spend(4) else { return [] }
                    pairs.append((found, place))
                }
            } else {
                openings.insert(place, own)
            }
        }
        // The index needs increasing numbers, but here the last rule comes first.
        var exclusions = RuleIndex()
        for (number, place) in rules.indices.reversed().enumerated() {
            guard let own = beginnings[place] else { continue }
            if rules[place].excludes {
                exclusions.insert(number, own)
            } else {
                for found in exclusions.meeting(own, &budget).joined() {
                    guard budget.spend(4) else { return [] }
                    let exclusion = rules.count - 1 - found
                    let isKnown = beginnings[exclusion]?.path.count == own.path.count
                    if !isKnown { pairs.append((place, exclusion)) }
                }
            }
        }
        return pairs.sorted { $0 < $1 }
    }
}

extension RuleShape {
    /// Whether the rule's path has wildcards and each of them matches exactly one character.
    fileprivate var isOfFixedLength: Bool {
        guard let tokens = path?.tokens else { return false }
        return tokens.contains(.one) && !tokens.contains(.run)
    }
}
