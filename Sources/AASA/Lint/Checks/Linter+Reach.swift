import StrictJSON

/// Checks the order of rules: "a later exclude behind a broader allow is dead" [OBS]. In the same way, any rule is dead
/// if earlier rules of its entry match all its URLs.
extension Linter {
    func lintReach() {
        for entry in entries {
            guard let rules = entry.rules else { continue }
            lintReach(rules)
        }
    }

    private func lintReach(_ rules: [RuleShape]) {
        var earlier = RuleIndex()
        var blocker: RuleShape?
        for (index, rule) in rules.enumerated() {
            if let blocker {
                report(rule, behind: blocker, .deadRule(behind: blocker.pointer.ruleName))
                continue
            }
            guard !rule.isDefective else { continue }
            if rule.matchesEverything { blocker = rule }
            if rule.isCertain, let beginnings = RuleBeginnings(rule) {
                if let cover = cover(of: rule, beginnings, among: rules, earlier),
                    cover.excludes != rule.excludes || !isOfUseBeforeiOS13(rule, behind: cover)
                {
                    report(rule, behind: cover, .redundantRule(behind: cover.pointer.ruleName))
                }
                earlier.insert(index, beginnings)
            }
            if budget.isExhausted { return }
        }
    }

    /// The first earlier rule that matches every URL that this one matches.
    private func cover(
        of rule: RuleShape, _ beginnings: RuleBeginnings, among rules: [RuleShape], _ earlier: RuleIndex
    ) -> RuleShape? {
        var first: Int?
        for list in earlier.covering(beginnings, &budget) {
            for index in list {
                guard index < first ?? .max else { break }
                guard budget.spend(1) else { return nil }
                guard rules[index].pathMayCover(rule), rules[index].mayCover(rule) else { continue }
                guard budget.spend(rules[index].size * rule.size / 8) else { return nil }
                if rules[index].covers(rule) { first = index }
            }
        }
        return first.map { rules[$0] }
    }

    /// Reports a contradiction if the two rules have different results, and `same` otherwise.
    private func report(_ rule: RuleShape, behind cover: RuleShape, _ same: FindingKind) {
        let item = looseItem(of: cover, before: rule)
        let contradiction = FindingKind.contradictedRule(
            by: cover.pointer.ruleName, pattern: pattern(of: cover), excludes: rule.excludes,
            looseItem: item?.description)
        add(
            cover.excludes == rule.excludes ? same : contradiction, rule.pointer,
            fix: item == nil ? fix(for: rule, behind: cover) : nil)
    }

    /// An item in the earlier rule's query that requires nothing, and that the later rule does not have. If the item
    /// required a value (`?*`), the earlier rule would no longer match every URL of the later one.
    private func looseItem(of cover: RuleShape, before rule: RuleShape) -> JSONPointer? {
        guard cover.excludes != rule.excludes, case .items(let items) = cover.query else { return nil }
        let asked: [String] =
            if case .items(let items) = rule.query {
                items.filter { !$0.pattern.matchesEverything }.map(\.name)
            } else { [] }
        return items.lazy.map(\.name).filter { !asked.contains($0) }
            .map { cover.pointer.appending("?").appending($0) }.first(where: looseItems.contains)
    }

    /// The path pattern of a rule as written in the file, or `nil` if the rule itself has none.
    private func pattern(of rule: RuleShape) -> String? {
        let value = association.root[rule.pointer]
        return (value?["/"] ?? value)?.string
    }

    /// Whether a rule may be useful on iOS 9 to 12, such as `/buy` after `/buy/*` in `paths`: "iOS 9-12: trailing-slash
    /// tolerance unknown; for 9-12 emit both spellings".
    private func isOfUseBeforeiOS13(_ rule: RuleShape, behind cover: RuleShape) -> Bool {
        guard rule.isPath, let text = written(rule), let other = written(cover) else { return false }
        let shape = PatternShape(text, isFolded: rule.isFolded, variables: variables)
        return !PatternShape(other, isFolded: cover.isFolded, variables: variables).covers(shape)
    }

    private func written(_ rule: RuleShape) -> [UInt8]? {
        association.root[rule.pointer].flatMap { PathEntry($0) }.map { Array($0.path.utf8) }
    }

    /// Whether one rule also covers the other on iOS 13, which does not support flags, variables and `defaults` ("13.5"
    /// and "14").
    private func isCoveredSince13(_ rule: RuleShape, by other: RuleShape) -> Bool {
        let isPlain = { (rule: RuleShape) in
            !rule.isFolded && !rule.isDecoded && rule.patterns.allSatisfy(\.variables.isEmpty)
        }
        return !hasDefaults && (other.matchesEverything || (isPlain(rule) && isPlain(other)))
    }

    /// Removes a rule with the same result. Moves up a rule with the opposite result, because it was probably meant to
    /// come first.
    private func fix(for rule: RuleShape, behind other: RuleShape) -> Fix? {
        guard !causes.lie(in: rule.pointer), !causes.lie(in: other.pointer),
            let removal = source.removal(of: rule.pointer)
        else { return nil }
        if rule.excludes == other.excludes {
            return Fix(
                title: "Remove this rule", keepsOutcomes: isCoveredSince13(rule, by: other), edits: [removal])
        }
        // If both rules match the same URLs, moving one would only make the other unreachable.
        guard !rule.isDefective, !rule.covers(other), let copy = source.copy(of: rule.pointer, before: other.pointer)
        else { return nil }
        return Fix(
            title: "Move this rule above \(other.pointer.ruleName)", keepsOutcomes: false, edits: [copy, removal])
    }
}
