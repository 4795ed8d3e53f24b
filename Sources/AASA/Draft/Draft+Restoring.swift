import StrictJSON

extension Draft {
    /// Restores the draft that generated an earlier file, as far as the file and the current draft allow.
    ///
    /// The restored draft generates the same file, byte for byte, if this version of Waymark still writes the file in
    /// the same way. A file has no IDs, and it has comments only if the draft publishes them. Entries and rules that
    /// are also in the current draft therefore keep their IDs and comments.
    ///
    /// - Parameters:
    ///   - file: A file that ``association()`` generated.
    ///   - current: The draft to replace.
    ///   - makeID: Returns the ID for each other entry and rule. It must return a new ID each time.
    /// - Returns: The restored draft.
    public static func restoring(
        _ file: Association, over current: Draft, makeID: @escaping () -> String
    ) -> Draft {
        let plain = importing(file, makeID: makeID).draft
        let others = Compatibility.allCases.filter { $0 != current.compatibility }
        let candidates = ([current.compatibility] + others).flatMap { compatibility in
            var draft = plain
            draft.compatibility = compatibility
            draft.publishComments = plain.hasComments
            var joined = draft
            joined.entries = joined.entries(joinedAs: current)
            return [joined, draft].map { $0.keepingIdentity(of: current) }
        }
        return candidates.first { $0.association() == file } ?? plain.keepingIdentity(of: current)
    }

    /// This imported draft, as the replacement of another one.
    ///
    /// A file has no IDs, and has comments only if the draft publishes them. So entries and rules that are also in the
    /// current draft keep their IDs, and their comments if those are not published. A rule that was edited in the file
    /// keeps them too, if as many rules were edited as are missing, and not more than stay the same. So do the rules of
    /// entries of which only the apps were edited. Whether comments are published stays as it is.
    ///
    /// - Parameter current: The draft to replace.
    /// - Returns: The draft to save. It has the same meaning as this one.
    public func replacing(_ current: Draft) -> Draft {
        var draft = self
        draft.publishComments = current.publishComments
        if compatibility == .ios9 { draft.entries = draft.entries(joinedAs: current) }
        return draft.keepingIdentity(of: current)
    }

    private var hasComments: Bool {
        let fields = [defaults] + entries.flatMap { [$0.defaults] + ($0.rules ?? []).map(\.fields) }
        return fields.contains { $0.comment != nil }
    }

    /// The entries, with elements of `details` merged again. For iOS 9 to 12, an entry with several apps is written as
    /// one element for each app. The entries of the current draft show which elements belong together.
    private func entries(joinedAs current: Draft) -> [Entry] {
        // Indexed by first app: comparing every pair of entries would take quadratic time.
        let lists = Dictionary(grouping: current.entries.map(\.uniqueApps).filter { $0.count > 1 }) { $0[0] }
        var rest = entries[...]
        var result: [Entry] = []
        while let first = rest.first {
            let joined = first.apps.first.flatMap { lists[$0] }?.first { apps in
                rest.prefix(apps.count).flatMap(\.apps) == apps
                    && rest.prefix(apps.count).allSatisfy { $0.apps.count == 1 && $0.says(sameAs: first) }
            }
            var entry = first
            if let joined { entry.apps = joined }
            result.append(entry)
            rest = rest.dropFirst(joined?.count ?? 1)
        }
        return result
    }

    /// This draft, with the IDs and comments of the entries and rules that also exist in the current draft.
    private func keepingIdentity(of current: Draft) -> Draft {
        var result = self
        result.entries = zip(entries, Entry.pairs(entries, current.entries)).map { entry, index in
            guard let known = index.map({ current.entries[$0] }) else { return entry }
            var restored = entry.keepingIdentity(of: known, comments: !publishComments)
            let isOpen = known.rules == nil && entry.rules?.map(\.fields) == [.catchAll] && needsCatchAll(entry)
            if isOpen { restored.rules = nil }
            return restored
        }
        if !publishComments, result.defaults == current.defaults.withoutComment { result.defaults = current.defaults }
        if !result.hasComments { result.publishComments = current.publishComments }
        return result
    }
}

extension Draft.Entry {
    /// Whether both have the same rules, defaults and unknown keys. The apps are not compared.
    fileprivate func says(sameAs other: Draft.Entry) -> Bool {
        rules?.map(\.fields) == other.rules?.map(\.fields) && defaults == other.defaults && extras == other.extras
    }

    /// The position of the former entry that each entry comes from: one for the same apps, or one whose apps were edited
    /// in the file and whose rules were not.
    fileprivate static func pairs(_ entries: [Self], _ former: [Self]) -> [Int?] {
        let fields = { (entry: Self) in (entry.rules ?? []).map(\.fields.withoutComment) }
        return paired(entries.map(\.uniqueApps), former.map(\.uniqueApps)) { edited, missing in
            zip(edited, missing).allSatisfy { fields(entries[$0]) == fields(former[$1]) }
        }
    }

    fileprivate func keepingIdentity(of current: Draft.Entry, comments: Bool) -> Draft.Entry {
        var entry = Draft.Entry(id: current.id, apps: apps, rules: rules, defaults: defaults, extras: extras)
        let known = Self.pairs(
            (rules ?? []).map(\.fields.withoutComment), (current.rules ?? []).map(\.fields.withoutComment))
        entry.rules = rules.map { rules in
            zip(rules, known).map { rule, index in
                guard let index, let known = current.rules?[index] else { return rule }
                var kept = Rule(id: known.id, fields: rule.fields)
                if comments { kept.comment = rule.comment ?? known.comment }
                return kept
            }
        }
        if comments, defaults == current.defaults.withoutComment { entry.defaults = current.defaults }
        return entry
    }

    /// The position of the former rule that each rule comes from: one that is the same, or one that was edited.
    private static func pairs(_ rules: [RuleFields], _ former: [RuleFields]) -> [Int?] {
        paired(rules, former) { edited, _ in edited.count <= max(1, rules.count - edited.count) }
    }

    /// The position of the former value that each value comes from: an equal one. The other values on both sides are pairs
    /// in their order, if they are as many and `areEdits` accepts their positions.
    private static func paired<Value: Hashable>(
        _ values: [Value], _ former: [Value], areEdits: ([Int], [Int]) -> Bool
    ) -> [Int?] {
        var left: [Value: [Int]] = [:]
        for (index, value) in former.enumerated().reversed() { left[value, default: []].append(index) }
        var pairs = values.map { left[$0]?.popLast() }
        let edited = pairs.indices.filter { pairs[$0] == nil }
        let missing = left.values.joined().sorted()
        if edited.count == missing.count, areEdits(edited, missing) {
            for (index, known) in zip(edited, missing) { pairs[index] = known }
        }
        return pairs
    }
}

extension RuleFields {
    fileprivate var withoutComment: RuleFields {
        var fields = self
        fields.comment = nil
        return fields
    }
}
