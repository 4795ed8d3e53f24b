import StrictJSON

/// Compares two files part by part and collects the differences.
struct FileComparison {
    /// The maximum number of changed rules in the difference, and the maximum number of apps per rule.
    static let maximumRules = 4_000
    static let maximumAppsOfRule = 50

    let before: Association
    let after: Association
    let entriesBefore: [PlacedEntry]
    let entriesAfter: [PlacedEntry]
    var difference = Difference()

    private let pairing: EntryPairing

    init(before: Association, after: Association, systems: [SystemVersion]) {
        self.before = before
        self.after = after
        difference.systems = systems.isEmpty ? [.latest] : systems
        let system = difference.systems.max() ?? .latest
        entriesBefore = before.placedEntries(os: system)
        entriesAfter = after.placedEntries(os: system)
        pairing = EntryPairing(entriesBefore, entriesAfter)
    }

    /// Compares the content of the files.
    mutating func compareText() {
        if before == after { return }
        compareEntries()
        compareApps()
        compareVariables()
        for name in TreeComparison.names(before.root, after.root) where name != "applinks" { compareService(name) }
        compareApplinks()
        // The steps above miss some differences, for example `"paths": []` instead of `"components": []`. A comparison
        // of the files' JSON finds those.
        if difference.isEmpty {
            let root = JSONPointer()
            difference.other = TreeComparison.changes(.object(before.root), .object(after.root), from: root, to: root)
        }
    }

    private mutating func compareEntries() {
        var alignment = Alignment()
        let unmoved = unmovedPairs(&alignment)
        var rules: [Difference.RuleChange] = []
        for index in pairing.removed {
            let entry = entriesBefore[index]
            difference.entries.append(
                Difference.EntryChange(kind: .removed, from: entry.pointer, to: nil, before: entry.apps, after: []))
            rules += entry.rules.map { .removed($0, apps: named(entry.apps)) }
            compareDefaults(entry, nil)
        }
        var partners: [Int: Int] = [:]
        for pair in pairing.pairs { partners[pair.after] = pair.before }
        for (index, entry) in entriesAfter.enumerated() {
            guard let old = partners[index].map({ entriesBefore[$0] }) else {
                difference.entries.append(
                    Difference.EntryChange(kind: .added, from: nil, to: entry.pointer, before: [], after: entry.apps))
                rules += entry.rules.map { .added($0, apps: named(entry.apps)) }
                compareDefaults(nil, entry)
                continue
            }
            if old.appKeys != entry.appKeys || !unmoved.contains(index) {
                difference.entries.append(
                    Difference.EntryChange(
                        kind: old.appKeys != entry.appKeys ? .changed : .moved, from: old.pointer, to: entry.pointer,
                        before: old.apps, after: entry.apps))
            }
            let comparison = RuleComparison(old.rules, entry.rules, &alignment)
            rules += comparison.changes(apps: named(old.apps + entry.apps))
            compareDefaults(old, entry)
            compareRest(old, entry)
        }
        difference.rules = Array(rules.prefix(Self.maximumRules))
        difference.isTruncated = alignment.isCoarse || rules.count > Self.maximumRules
    }

    /// Finds the paired entries whose order did not change, and returns their indices in `entriesAfter`: a longest common
    /// subsequence of the old and the new order.
    private func unmovedPairs(_ alignment: inout Alignment) -> Set<Int> {
        let inOrder = pairing.pairs.sorted { $0.before < $1.before }
        if zip(inOrder, inOrder.dropFirst()).allSatisfy({ $0.after < $1.after }) { return Set(inOrder.map(\.after)) }
        // The key of a pair has the keys of its two entries, sorted, so that it is the same if the files are swapped.
        // Pairs with the same key get a number, so that each key is unique.
        var numbers: [[UInt8]: Int] = [:]
        let keys = inOrder.map { pair in
            let sides = [entriesBefore[pair.before].key, entriesAfter[pair.after].key]
            let key = Array(sides.sorted { $0.lexicographicallyPrecedes($1) }.joined())
            numbers[key, default: 0] += 1
            return key + Array(String(numbers[key] ?? 0).utf8)
        }
        let afterwards = zip(inOrder, keys).sorted { $0.0.after < $1.0.after }
        let (left, right) = RuleComparison.ranks(keys, afterwards.map(\.1))
        return Set(alignment.common(left, right).map { afterwards[$0.right].0.after })
    }

    private func named(_ apps: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return Array(apps.filter { seen.insert(Array($0.utf8)).inserted }.prefix(Self.maximumAppsOfRule))
    }

    private mutating func compareApps() {
        let (old, new) = (Self.orderedApps(entriesBefore), Self.orderedApps(entriesAfter))
        difference.apps.added = new.without(old)
        difference.apps.removed = old.without(new)
        let (oldStaying, newStaying) = (old.without(difference.apps.removed), new.without(difference.apps.added))
        difference.apps.isReordered = !zip(oldStaying, newStaying).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The apps of all entries without duplicates, in the order of their first entries.
    private static func orderedApps(_ entries: [PlacedEntry]) -> [String] {
        var seen: Set<[UInt8]> = []
        return entries.flatMap(\.apps).filter { seen.insert(Array($0.utf8)).inserted }
    }
}

extension [String] {
    /// The texts that are not in another list, compared by their bytes.
    func without(_ others: [String]) -> [String] {
        let known = Set(others.map { [UInt8]($0.utf8) })
        return filter { !known.contains([UInt8]($0.utf8)) }
    }
}
