import StrictJSON

/// Creates example URLs from rules, for evaluation with the matcher.
enum ExampleURL {
    /// The maximum length. Longer URLs are not useful as examples.
    private static let limit = 512

    /// A URL that both rules match, or that the single rule matches. `nil` if none is found.
    static func meeting(_ rule: RuleShape, _ other: RuleShape?, _ budget: inout LintBudget) -> String? {
        guard let path = path(rule.path, other?.path, &budget) else { return nil }
        return url(path, rule, other, &budget)
    }

    /// A URL with this path, and with a query and a fragment that the rules match.
    static func url(
        _ path: String, _ rule: RuleShape, _ other: RuleShape?, _ budget: inout LintBudget
    ) -> String? {
        guard let query = query([rule, other].compactMap(\.self), &budget),
            let fragment = text(rule.fragment, other?.fragment, &budget)
        else { return nil }
        let url = path + (query.isEmpty ? "" : "?\(query)") + (fragment.isEmpty ? "" : "#\(fragment)")
        return url.utf8.count <= limit ? url : nil
    }

    /// A path that the patterns match.
    static func path(
        _ pattern: PatternShape?, _ other: PatternShape?, _ budget: inout LintBudget
    ) -> String? {
        guard let text = text(pattern, other, &budget) else { return nil }
        return text.utf8.first == UInt8(ascii: "/") ? text : "/" + text
    }

    private static func text(
        _ pattern: PatternShape?, _ other: PatternShape?, _ budget: inout LintBudget
    ) -> String? {
        guard let first = pattern ?? other else { return "" }
        return first.meeting(pattern == nil ? nil : other, &budget).map(PatternShape.text)
    }

    private static func query(_ rules: [RuleShape], _ budget: inout LintBudget) -> String? {
        var whole: PatternShape?
        var items: [(name: String, pattern: PatternShape)] = []
        for rule in rules {
            switch rule.query {
            case .any: break
            case .whole(let pattern):
                if whole != nil { return nil }
                whole = pattern
            case .items(let own): items += own
            }
        }
        if let whole { return items.isEmpty ? text(whole, nil, &budget) : nil }
        var parts: [String] = []
        var names: Set<[UInt8]> = []
        for item in items where names.insert(Array(item.name.utf8)).inserted {
            guard budget.spend(items.count) else { return nil }
            let others = items.filter { $0.name.utf8.elementsEqual(item.name.utf8) }
            guard others.count <= 2,
                let value = text(item.pattern, others.count == 2 ? others[1].pattern : nil, &budget)
            else { return nil }
            if !value.isEmpty { parts.append("\(item.name)=\(value)") }
        }
        return parts.joined(separator: "&")
    }
}

extension Linter {
    /// The decision for a URL, or `nil` if it is unknown or too expensive to compute. ``verdict(ofApp:)`` refers to
    /// this URL until the next call.
    func decide(_ url: String) -> Decision? {
        guard !budget.isExhausted else { return nil }
        let decision = decider.decide(url, by: compiled)
        guard budget.spend(50 + compiled.appIDs.count / 16 + decider.work / 16) else { return nil }
        return decision.ineligibility == nil ? decision : nil
    }

    /// The decision for an app, and the rule that made it. `nil` if no rule matched.
    func verdict(ofApp app: Int) -> (outcome: Evaluation.Outcome, decidedBy: JSONPointer)? {
        guard let verdict = decider.verdict(ofApp: app), let place = verdict.decidedBy,
            let pointer = compiled.pointer(of: place)
        else { return nil }
        return (verdict.outcome, pointer)
    }
}
