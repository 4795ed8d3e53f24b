extension Draft {
    /// The place of a rule: the indices of its entry and of itself.
    private func place(ofRule id: String) -> (entry: Int, rule: Int)? {
        for (entryIndex, entry) in entries.enumerated() {
            if let index = entry.rules?.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
                return (entryIndex, index)
            }
        }
        return nil
    }

    /// A rule with the entry that it is in and its position there, from 0; nil if no rule has this ID.
    public func rule(_ id: String) -> (rule: Rule, entry: String, position: Int)? {
        guard let place = place(ofRule: id), let rules = entries[place.entry].rules else { return nil }
        return (rules[place.rule], entries[place.entry].id, place.rule)
    }

    /// Every rule with the entry that it is in and its position there, in order.
    public var allRules: [(rule: Rule, entry: String, position: Int)] {
        entries.flatMap { entry in
            (entry.rules ?? []).enumerated().map { (rule: $1, entry: entry.id, position: $0) }
        }
    }

    /// Adds a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule; its ID must be new to the draft.
    ///   - entry: The ID of the entry; may lack where the draft has exactly one. An entry without restriction becomes
    ///     one with this rule alone.
    ///   - position: Its place among the entry's rules, from 0; at the end, unless said.
    public mutating func addRule(
        _ rule: Rule, entry: String? = nil, position: Int? = nil
    ) throws(DraftError) {
        guard place(ofRule: rule.id) == nil else { throw .duplicateID(rule.id) }
        guard entries.reduce(0, { $0 + ($1.rules?.count ?? 0) }) < Limits.rules else { throw .tooManyRules }
        try insert(rule, inEntryAt: try entryIndex(entry), position)
    }

    /// Changes a rule in place and returns it.
    public mutating func updateRule(_ id: String, _ change: (inout Rule) -> Void) throws(DraftError) -> Rule {
        guard let place = place(ofRule: id), var rules = entries[place.entry].rules else { throw .ruleNotFound(id) }
        change(&rules[place.rule])
        let rule = rules[place.rule]
        // A change cannot give the rule another ID: that is set for life.
        rules[place.rule] = Rule(id: id, fields: rule.fields)
        entries[place.entry].rules = rules
        return rules[place.rule]
    }

    /// The entry for these apps, in any order; added at the end where none of them has an entry yet.
    ///
    /// - Parameters:
    ///   - apps: The app IDs.
    ///   - makeID: Gives a new entry its ID.
    /// - Returns: The entry's ID.
    public mutating func entry(for apps: [String], makeID: () -> String) throws(DraftError) -> String {
        let wanted = Set(apps.map { Array($0.utf8) })
        for entry in entries {
            guard let shared = entry.apps.first(where: { wanted.contains(Array($0.utf8)) }) else { continue }
            guard Set(entry.apps.map { Array($0.utf8) }) == wanted else {
                throw .appInOtherEntry(app: shared, entry: entry.id)
            }
            return entry.id
        }
        guard entries.count < Limits.entries else { throw .tooManyEntries }
        let id = makeID()
        entries.append(Entry(id: id, apps: apps, rules: []))
        return id
    }

    /// Applies a patch to a rule and moves it if the patch says so; returns the rule. A rule that had a pattern keeps
    /// one, unless the patch says that none is meant. Nothing changes if it throws.
    public mutating func patchRule(_ id: String, _ patch: RulePatch) throws(DraftError) -> Rule {
        var copy = self
        var wasUnrestricted = false
        let rule = try copy.updateRule(id) {
            wasUnrestricted = $0.fields.isUnrestricted
            $0 = $0.applying(patch)
        }
        if rule.fields.isUnrestricted, !wasUnrestricted, !patch.isUnrestricted { throw .unrestricted }
        if !rule.fields.isUnrestricted, patch.isUnrestricted { throw .restricted }
        if patch.entry != nil || patch.position != nil {
            try copy.moveRule(id, entry: patch.entry, position: patch.position)
        }
        self = copy
        return rule
    }

    /// Takes a rule away and returns it. An entry whose last rule goes matches nothing: its rules are then empty.
    public mutating func removeRule(_ id: String) throws(DraftError) -> Rule {
        guard let place = place(ofRule: id), let rule = entries[place.entry].rules?.remove(at: place.rule) else {
            throw .ruleNotFound(id)
        }
        return rule
    }

    /// Moves a rule. Nothing changes if it throws.
    ///
    /// - Parameters:
    ///   - id: The rule.
    ///   - entry: The ID of the entry to move it to; its own, unless said.
    ///   - position: Its place among that entry's rules once it is moved, from 0; at the end, unless said.
    public mutating func moveRule(
        _ id: String, entry: String? = nil, position: Int? = nil
    ) throws(DraftError) {
        guard let place = place(ofRule: id) else { throw .ruleNotFound(id) }
        let target = if let entry { try entryIndex(entry) } else { place.entry }
        var copy = self
        let rule = try copy.removeRule(id)
        try copy.insert(rule, inEntryAt: target, position)
        self = copy
    }

    private func entryIndex(_ id: String?) throws(DraftError) -> Int {
        guard let id else {
            guard entries.count == 1 else { throw .entryRequired(entries: entries.count) }
            return 0
        }
        guard let index = entries.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) else {
            throw .entryNotFound(id)
        }
        return index
    }

    private mutating func insert(_ rule: Rule, inEntryAt entry: Int, _ position: Int?) throws(DraftError) {
        var rules = entries[entry].rules ?? []
        let place = position ?? rules.count
        guard (0...rules.count).contains(place) else { throw .positionOutOfRange(last: rules.count) }
        rules.insert(rule, at: place)
        entries[entry].rules = rules
    }
}
