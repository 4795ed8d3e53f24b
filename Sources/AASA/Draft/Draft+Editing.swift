extension Draft {
    /// The index of the entry that contains a rule, and the index of the rule in that entry.
    private func place(ofRule id: String) -> (entry: Int, rule: Int)? {
        for (entryIndex, entry) in entries.enumerated() {
            if let index = entry.rules?.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
                return (entryIndex, index)
            }
        }
        return nil
    }

    /// The rule with this ID, its entry's ID, and its position in the entry, from 0. Returns `nil` if no rule has this
    /// ID.
    public func rule(_ id: String) -> (rule: Rule, entry: String, position: Int)? {
        guard let place = place(ofRule: id), let rules = entries[place.entry].rules else { return nil }
        return (rules[place.rule], entries[place.entry].id, place.rule)
    }

    /// All rules in order, each with its entry's ID and its position in the entry.
    public var allRules: [(rule: Rule, entry: String, position: Int)] {
        entries.flatMap { entry in
            (entry.rules ?? []).enumerated().map { (rule: $1, entry: entry.id, position: $0) }
        }
    }

    /// Adds a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule. Its ID must be new to the draft.
    ///   - entry: The ID of the entry. It is optional if the draft has exactly one entry. If the entry's rules are
    ///     `nil`, this rule becomes its only rule.
    ///   - position: The position among the entry's rules, from 0. The default is the end.
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
        // A rule keeps its ID, even if the closure replaced the whole rule.
        rules[place.rule] = Rule(id: id, fields: rule.fields)
        entries[place.entry].rules = rules
        return rules[place.rule]
    }

    /// Returns the ID of the entry with these apps, in any order. If no entry has any of these apps, adds an entry at
    /// the end.
    ///
    /// - Parameters:
    ///   - apps: The app IDs.
    ///   - makeID: Returns the ID for a new entry.
    /// - Returns: The entry's ID.
    /// - Throws: ``DraftError/appInOtherEntry(app:entry:)`` if an entry has only some of these apps, or also has other
    ///   apps; ``DraftError/tooManyEntries``.
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

    /// Applies a patch to a rule and returns the rule. Moves the rule if the patch has a position. On an error, nothing
    /// changes.
    ///
    /// A rule without a pattern matches every URL, so a patch that removes the last pattern must confirm it with
    /// ``RulePatch/isUnrestricted``.
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

    /// Removes a rule and returns it. An entry that loses its last rule matches no URL: its list of rules is then
    /// empty.
    public mutating func removeRule(_ id: String) throws(DraftError) -> Rule {
        guard let place = place(ofRule: id), let rule = entries[place.entry].rules?.remove(at: place.rule) else {
            throw .ruleNotFound(id)
        }
        return rule
    }

    /// Moves a rule. On an error, nothing changes.
    ///
    /// - Parameters:
    ///   - id: The rule.
    ///   - entry: The ID of the destination entry. The default is the rule's current entry.
    ///   - position: The rule's position in the destination entry after the move, from 0. The default is the end.
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
