import StrictJSON

/// "Several apps: order of `details`" [DOC archived guide]: if rules of two entries match the same URL, the first app
/// opens it.
extension Linter {
    /// The maximum number of overlaps that are evaluated for each entry. Several may be needed, because an exclusion
    /// can come before either rule.
    private static let attempts = 4

    func lintOverlaps() {
        let isSeveral = entries.count { !$0.reading.apps.isEmpty } > 1
        guard isSeveral else { return }
        var allows = RuleIndex()
        var places: [(entry: Int, rule: RuleShape, beginnings: RuleBeginnings)] = []
        for (index, entry) in entries.enumerated() {
            for rule in entry.rules ?? [] where !rule.excludes && !rule.isDefective {
                guard let beginnings = RuleBeginnings(rule, spelledOut: true) else { continue }
                allows.insert(places.count, beginnings)
                places.append((index, rule, beginnings))
            }
        }
        var attempts = [Int](repeating: 0, count: entries.count)
        for (number, place) in places.enumerated() {
            for found in allows.meeting(place.beginnings, &budget).joined() {
                guard budget.spend(1) else { return }
                let other = places[found]
                // Two beginnings of the same length find each other, so one of the two results is skipped.
                if found < number, other.beginnings.path.count == place.beginnings.path.count { continue }
                let (first, later) = place.entry < other.entry ? (place, other) : (other, place)
                guard first.entry != later.entry, attempts[later.entry] < Self.attempts,
                    first.rule.mayMeet(later.rule),
                    let url = ExampleURL.meeting(later.rule, first.rule, &budget)
                else { continue }
                attempts[later.entry] += 1
                if reportMeeting(at: url, later.entry) { attempts[later.entry] = Self.attempts }
            }
        }
    }

    /// Reports that two apps open the same URL. Returns whether it has added a finding.
    private func reportMeeting(at url: String, _ entry: Int) -> Bool {
        guard let decision = decide(url), let winner = decision.app, (try? AppID(compiled.appIDs[winner])) != nil,
            let winning = verdict(ofApp: winner),
            let loser = firstApps[entry], verdict(ofApp: loser)?.outcome == .opens
        else { return false }
        let pointer = entries[entry].reading.pointer
        guard !pointer.contains(winning.decidedBy) else { return false }
        let isOrdered = association.applinks?["details"]?.object == nil
        add(
            .overlappingApps(
                url: url, first: compiled.appIDs[winner], second: compiled.appIDs[loser], isOrdered: isOrdered),
            pointer)
        return true
    }
}
