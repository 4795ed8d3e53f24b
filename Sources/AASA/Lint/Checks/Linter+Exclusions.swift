import StrictJSON

/// Finds exclusions without effect. If no rule matches a URL, it opens in the browser anyway [DOC].
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
            // If the list has a fault, we cannot know which rules the author intended.
            guard !causes.lie(in: list) else { continue }
            let idle = idleExclusions(rules)
            if let first = idle.first { add(.idleExclusion(others: idle.count - 1), first.pointer) }
        }
    }

    /// The exclusions that have no URL in common with any later rule that opens. If an earlier rule overrides an
    /// exclusion, another
    /// finding reports it.
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
            remedy = "Put the rules that should open the app first, or remove the entry if there are none."
        } else {
            let rule = rules.allSatisfy(\.isPath) ? "\"*\"" : "{\"/\": \"*\"}"
            remedy = "Add \(rule) as the last rule if all other URLs should open the app."
        }
        return .opensNothing(remedy: remedy)
    }
}

extension EntryShape {
    /// The place of its list of rules; nil if it has none.
    var listPointer: JSONPointer? {
        switch reading.patterns {
        case .unrestricted: nil
        case .components(_, let pointer), .paths(_, let pointer): pointer
        }
    }
}
