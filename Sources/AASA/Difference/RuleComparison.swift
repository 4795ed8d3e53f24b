import StrictJSON

/// Compares the rules of an old entry with those of the paired new entry.
struct RuleComparison {
    private enum Partner {
        case same(Int)
        case moved(Int)
        case changed(Int)
    }

    private let before: [PlacedRule]
    private let after: [PlacedRule]
    /// For each rule of the new file, the paired rule of the old file.
    private var partners: [Partner?]
    private var isPaired: [Bool]

    /// Pairs the rules. Rules with equal meanings are unchanged if they are in a longest common subsequence, and moved
    /// otherwise. The remaining rules are paired as changed: first rules with the same patterns, then rules with the
    /// same path, then rules with similar paths at the same place.
    init(_ before: [PlacedRule], _ after: [PlacedRule], _ alignment: inout Alignment) {
        self.before = before
        self.after = after
        partners = Array(repeating: nil, count: after.count)
        isPaired = Array(repeating: false, count: before.count)
        let (left, right) = Self.ranks(before.map(\.meaning.key), after.map(\.meaning.key))
        let common = alignment.common(left, right)
        for pair in common { link(pair.left, .same(pair.left), pair.right) }
        pair({ $0.meaning.key }, Partner.moved)
        pair({ $0.meaning.patternKey }, Partner.changed)
        pair({ $0.meaning.pathKey }, Partner.changed)
        pairAlike(between: common, left, right, &alignment)
    }

    /// The changes of the rules, in the order of the new file. Removed rules are at their old places.
    func changes(apps: [String]) -> [Difference.RuleChange] {
        var result: [Difference.RuleChange] = []
        var next = 0
        func appendRemoved(upTo end: Int) {
            for index in next..<max(next, end) where !isPaired[index] {
                result.append(.removed(before[index], apps: apps))
            }
            next = max(next, end)
        }
        for (index, rule) in after.enumerated() {
            switch partners[index] {
            case .same(let old):
                appendRemoved(upTo: old)
                let parts = PartComparison.written(before[old], rule)
                if !parts.isEmpty { result.append(.pair(.sameMeaning, before[old], rule, apps, parts)) }
            case .moved(let old):
                result.append(.pair(.moved, before[old], rule, apps, PartComparison.written(before[old], rule)))
            case .changed(let old):
                result.append(.pair(.changed, before[old], rule, apps, PartComparison.effective(before[old], rule)))
            case nil: result.append(.added(rule, apps: apps))
            }
        }
        appendRemoved(upTo: before.count)
        return result
    }

    private mutating func link(_ old: Int, _ partner: Partner, _ new: Int) {
        partners[new] = partner
        isPaired[old] = true
    }

    /// Pairs the remaining rules with equal keys, in order.
    private mutating func pair(_ key: (PlacedRule) -> [UInt8]?, _ partner: (Int) -> Partner) {
        var waiting: [[UInt8]: [Int]] = [:]
        for index in before.indices.reversed() where !isPaired[index] {
            if let key = key(before[index]) { waiting[key, default: []].append(index) }
        }
        if waiting.isEmpty { return }
        for index in after.indices where partners[index] == nil {
            guard let key = key(after[index]), let old = waiting[key]?.popLast() else { continue }
            link(old, partner(old), index)
        }
    }

    /// Pairs the remaining rules between two unchanged rules.
    private mutating func pairAlike(
        between common: [(left: Int, right: Int)], _ left: [Int], _ right: [Int], _ alignment: inout Alignment
    ) {
        var start = (left: 0, right: 0)
        for end in common + [(before.count, after.count)] {
            let old = (start.left..<end.left).filter { !isPaired[$0] }
            let new = (start.right..<end.right).filter { partners[$0] == nil }
            start = (end.left + 1, end.right + 1)
            if old.isEmpty || new.isEmpty { continue }
            let oldPaths = old.map { before[$0].pathBytes }
            let newPaths = new.map { after[$0].pathBytes }
            // The result must not depend on the order of the files, as in `Alignment.common`.
            if new.map({ right[$0] }).lexicographicallyPrecedes(old.map { left[$0] }) {
                for pair in alignment.longest(new.count, old.count, { Self.areAlike(newPaths[$0], oldPaths[$1]) }) {
                    link(old[pair.right], .changed(old[pair.right]), new[pair.left])
                }
            } else {
                for pair in alignment.longest(old.count, new.count, { Self.areAlike(oldPaths[$0], newPaths[$1]) }) {
                    link(old[pair.left], .changed(old[pair.left]), new[pair.right])
                }
            }
        }
    }

    /// Whether the common beginning and end of two paths are longer than half of the longer path.
    private static func areAlike(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        let (shorter, longer) = (min(one.count, other.count), max(one.count, other.count))
        guard 2 * shorter > longer else { return false }
        var head = 0
        while head < shorter, one[head] == other[head] { head += 1 }
        var tail = 0
        while tail < shorter - head, one[one.count - 1 - tail] == other[other.count - 1 - tail] { tail += 1 }
        return 2 * (head + tail) > longer
    }

    /// Numbers for the keys of two lists. Equal keys get equal numbers, and a smaller key gets a smaller number.
    static func ranks(_ before: [[UInt8]], _ after: [[UInt8]]) -> (before: [Int], after: [Int]) {
        let keys = Set(before + after).sorted { $0.lexicographicallyPrecedes($1) }
        let ranks = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
        return (before.map { ranks[$0] ?? 0 }, after.map { ranks[$0] ?? 0 })
    }
}

extension PlacedRule {
    fileprivate var pathBytes: [UInt8] { Array((meaning.path?.string ?? "").utf8) }
}

extension Difference.RuleChange {
    static func added(_ rule: PlacedRule, apps: [String]) -> Self {
        Self(kind: .added, from: nil, to: rule.pointer, apps: apps, before: nil, after: rule.json, parts: [])
    }

    static func removed(_ rule: PlacedRule, apps: [String]) -> Self {
        Self(kind: .removed, from: rule.pointer, to: nil, apps: apps, before: rule.json, after: nil, parts: [])
    }

    fileprivate static func pair(
        _ kind: Kind, _ before: PlacedRule, _ after: PlacedRule, _ apps: [String], _ parts: [Difference.PartChange]
    ) -> Self {
        Self(
            kind: kind, from: before.pointer, to: after.pointer, apps: apps, before: before.json, after: after.json,
            parts: parts)
    }
}
