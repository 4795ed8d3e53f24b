import StrictJSON

/// Exclusions that have nothing to exclude from: "what no rule matches stays on the web" anyway [DOC].
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
            // What a rule was meant to be is not known where a fault is.
            guard !causes.lie(in: list) else { continue }
            let idle = idleExclusions(rules)
            if let first = idle.first { add(.idleExclusion(others: idle.count - 1), first.pointer) }
        }
    }

    /// The exclusions that exclude nothing that a later rule opens. One that an earlier rule overrules has a finding
    /// that says so.
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
            remedy = "Write \"exclude\": false in the rules that are to open the app."
        } else if rules.contains(where: \.matchesEverything) {
            remedy = "Put the rules that are to open the app first, or remove the entry if none is."
        } else {
            let rule = rules.allSatisfy(\.isPath) ? "\"*\"" : "{\"/\": \"*\"}"
            remedy = "Add a last rule \(rule) if the rest is to open the app."
        }
        return .opensNothing(remedy: remedy)
    }
}

extension EntryShape {
    /// Where its list of rules stands; nil if it has none.
    var listPointer: JSONPointer? {
        switch reading.patterns {
        case .unrestricted: nil
        case .components(_, let pointer), .paths(_, let pointer): pointer
        }
    }
}
