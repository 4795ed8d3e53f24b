import StrictJSON

/// "Several apps: order of `details`" [DOC archived guide]: where the rules of two entries meet, the first app gets
/// the link.
extension Linter {
    /// So many meetings of each entry are tried with the matcher: an exclusion may stand before either rule.
    private static let attempts = 4

    func lintOverlaps() {
        let isSeveral = entries.count { !$0.reading.apps.isEmpty } > 1
        guard isSeveral else { return }
        var allows = RulePrefixes()
        var places: [(entry: Int, rule: RuleShape, prefix: [UInt32])] = []
        for (index, entry) in entries.enumerated() {
            for rule in entry.rules ?? [] where !rule.excludes && !rule.isDefective {
                let prefix = rule.literalPrefix
                allows.insert(places.count, prefix)
                places.append((index, rule, prefix))
            }
        }
        var attempts = [Int](repeating: 0, count: entries.count)
        for place in places {
            for number in allows.rules(along: place.prefix).joined() {
                let other = places[number]
                let (first, later) = place.entry < other.entry ? (place, other) : (other, place)
                guard first.entry != later.entry, attempts[later.entry] < Self.attempts else { continue }
                guard budget.spend(1) else { return }
                guard let url = meeting(first.rule, later.rule) else { continue }
                attempts[later.entry] += 1
                if reportMeeting(at: url, entries[later.entry].reading) { attempts[later.entry] = Self.attempts }
            }
        }
    }

    /// A URL that both rules match.
    private func meeting(_ first: RuleShape, _ later: RuleShape) -> String? {
        guard first.isDecoded == later.isDecoded else { return nil }
        if let path = first.path, let other = later.path {
            guard path.canEnd(like: other) else { return nil }
        }
        return ExampleURL.meeting(later, first, &budget)
    }

    /// Tells whether a finding has been made.
    private func reportMeeting(at url: String, _ entry: EntryReading) -> Bool {
        guard let evaluation = evaluation(of: url), let winner = evaluation.app else { return false }
        let isEarlier = evaluation.apps.first { $0.app == winner }
        let loser = evaluation.apps.first {
            $0.outcome == .opens && entry.pointer.contains($0.decidedBy ?? JSONPointer())
        }
        guard let loser, let isEarlier, !entry.pointer.contains(isEarlier.decidedBy ?? JSONPointer()) else {
            return false
        }
        let isOrdered = association.applinks?["details"]?.object == nil
        add(.overlappingApps(url: url, first: winner, second: loser.app, isOrdered: isOrdered), entry.pointer)
        return true
    }
}
