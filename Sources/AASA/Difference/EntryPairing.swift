/// Pairs the entries of the old file with those of the new file. Entries have no names, so they are identified by their
/// apps.
struct EntryPairing {
    private(set) var pairs: [(before: Int, after: Int)] = []
    private(set) var removed: [Int] = []
    private(set) var added: [Int] = []

    private let before: [PlacedEntry]
    private let after: [PlacedEntry]

    /// Pairs each entry with at most one other entry, in this order: entries with the same apps in the same order; with
    /// the same apps in any order; with the most apps in common; and with different apps but the same rules, because an
    /// app may have been replaced.
    init(_ before: [PlacedEntry], _ after: [PlacedEntry]) {
        self.before = before
        self.after = after
        removed = Array(before.indices)
        added = Array(after.indices)
        pair { $0.apps.isEmpty ? nil : Self.joined($0.apps) }
        pair { $0.apps.isEmpty ? nil : Self.joined($0.apps.sorted()) }
        pairBySharedApps()
        pair { $0.rules.isEmpty ? nil : $0.rules.flatMap { $0.meaning.key + [0] } }
        // Pairs the remaining entries that have no apps.
        pair { $0.apps.isEmpty ? [] : nil }
        pairs.sort { $0.after < $1.after }
    }

    /// Pairs entries with equal keys, in order.
    private mutating func pair(_ key: (PlacedEntry) -> [UInt8]?) {
        var waiting: [[UInt8]: [Int]] = [:]
        for index in removed.reversed() {
            if let key = key(before[index]) { waiting[key, default: []].append(index) }
        }
        for index in added {
            guard let key = key(after[index]), let partner = waiting[key]?.popLast() else { continue }
            pairs.append((partner, index))
        }
        dropPaired()
    }

    /// Uses only the first entry of each app, because Apple's systems are reported to use that entry. So there are at
    /// most as many candidates as apps.
    private mutating func pairBySharedApps() {
        let places = (Self.firstPlaces(removed, before), Self.firstPlaces(added, after))
        var shared: [[Int]: Int] = [:]
        for (app, place) in places.0 {
            if let other = places.1[app] { shared[[place, other], default: 0] += 1 }
        }
        let candidates = shared.map { key, count in
            (before: key[0], after: key[1], count: count, size: before[key[0]].apps.count + after[key[1]].apps.count)
        }
        // Candidates with equal counts are ordered so that swapping the two files gives the same pairs.
        let ranked = candidates.sorted {
            (-$0.count, $0.size, $0.before + $0.after, abs($0.before - $0.after), $0.before)
                < (-$1.count, $1.size, $1.before + $1.after, abs($1.before - $1.after), $1.before)
        }
        var (takenBefore, takenAfter): (Set<Int>, Set<Int>) = ([], [])
        for candidate in ranked
        where !takenBefore.contains(candidate.before) && !takenAfter.contains(candidate.after) {
            takenBefore.insert(candidate.before)
            takenAfter.insert(candidate.after)
            pairs.append((candidate.before, candidate.after))
        }
        dropPaired()
    }

    private mutating func dropPaired() {
        let (taken, given) = (Set(pairs.map(\.before)), Set(pairs.map(\.after)))
        removed.removeAll { taken.contains($0) }
        added.removeAll { given.contains($0) }
    }

    private static func firstPlaces(_ indices: [Int], _ entries: [PlacedEntry]) -> [[UInt8]: Int] {
        var places: [[UInt8]: Int] = [:]
        for index in indices {
            for app in entries[index].apps {
                let key = Array(app.utf8)
                if places[key] == nil { places[key] = index }
            }
        }
        return places
    }

    private static func joined(_ apps: [String]) -> [UInt8] { apps.flatMap { Array($0.utf8) + [0] } }
}
