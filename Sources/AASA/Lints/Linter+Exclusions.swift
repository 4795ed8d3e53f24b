import StrictJSON

/// Exclusions that have nothing to exclude from: "what no rule matches stays on the web" anyway [DOC].
extension Linter {
    func lintExclusions() {
        for entry in entries where !entry.reading.apps.isEmpty {
            guard let rules = entry.rules, let list = entry.listPointer, let last = rules.last, last.excludes else {
                continue
            }
            guard let opening = rules.lastIndex(where: { !$0.excludes }) else {
                add(opensNothing(entry, rules), key: list)
                continue
            }
            // A rule that is never asked, or that was meant otherwise, has a finding that says so.
            let idle = rules[(opening + 1)...]
            guard !causes.lie(in: list), !idle.contains(where: { contradicted.contains($0.pointer) }),
                let first = idle.first
            else { continue }
            add(.idleExclusion(others: idle.count - 1), first.pointer)
        }
    }

    private func opensNothing(_ entry: EntryShape, _ rules: [RuleShape]) -> Problem {
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
