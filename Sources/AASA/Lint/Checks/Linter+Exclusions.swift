import StrictJSON

/// Finds exclusions without effect: a URL that no rule matches opens in the browser even without an exclusion [DOC].
extension Linter {
    func lintExclusions() {
        for entry in entries where !entry.reading.apps.isEmpty {
            guard let rules = entry.rules, let list = entry.listPointer, rules.contains(where: \.excludes) else {
                continue
            }
            guard rules.contains(where: { !$0.excludes }) else {
                add(opensNothing(entry, rules), key: list)
                continue
            }
            // If the list has a fault, the author's intention is unknown.
            guard !causes.lie(in: list) else { continue }
            let idle = idleExclusions(rules)
            if let first = idle.first { add(.idleExclusion(others: idle.count - 1), first.pointer) }
        }
    }

    /// The exclusions that overlap none of the opening rules below them. An exclusion that an earlier rule overrides has
    /// a different finding.
    private func idleExclusions(_ rules: [RuleShape]) -> [RuleShape] {
        var later = OpeningBeginnings()
        var idle: [RuleShape] = []
        for rule in rules.reversed() {
            if !rule.excludes {
                later.insert(rule)
            } else if !later.mayMeet(rule), !contradicted.contains(rule.pointer) {
                idle.append(rule)
            }
        }
        return idle.reversed()
    }

    private func opensNothing(_ entry: EntryShape, _ rules: [RuleShape]) -> FindingKind {
        let remedy: String
        if entry.defaults(association).contains(where: { $0["exclude"] != nil }) {
            remedy = "Write \"exclude\": false in the rules that should open the app."
        } else if rules.contains(where: \.matchesEverything) {
            remedy =
                "Above these exclusions, add the rules that should open the app. If no URL should open it, remove "
                + "the entry."
        } else {
            let rule = rules.allSatisfy(\.isPath) ? "\"*\"" : "{\"/\": \"*\"}"
            remedy = "Add \(rule) as the last rule if all other URLs should open the app."
        }
        return .opensNothing(remedy: remedy)
    }
}

extension EntryShape {
    /// The place of the entry's list of rules, or `nil` if it has no list.
    var listPointer: JSONPointer? {
        switch reading.patterns {
        case .unrestricted: nil
        case .components(_, let pointer), .paths(_, let pointer): pointer
        }
    }
}
