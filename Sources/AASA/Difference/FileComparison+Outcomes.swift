import StrictJSON

extension FileComparison {
    /// The maximum number of app verdicts in the difference, for all URLs together.
    static let maximumVerdicts = 10_000

    /// Finds URLs with a different outcome, among the given URLs and among URLs generated from the patterns.
    mutating func compareOutcomes(given: [String], samples limit: Int, steps: Int) {
        if given.count > Difference.maximumGiven { difference.isTruncated = true }
        let urls = Array(given.prefix(Difference.maximumGiven))
        // Equal files have the same outcome for every URL.
        if before == after {
            difference.urls = Difference.URLCount(tried: urls.count, given: urls.count)
            return
        }
        var allowance = EvaluationAllowance(steps: steps)
        let made = limit <= 0 ? [] : samples(limit, &allowance)
        let known = Set(urls)
        let all = urls.map { (url: $0, isGiven: true) } + made.filter { !known.contains($0) }.map { ($0, false) }
        if all.isEmpty { return }
        var tried = 0
        var changed: Set<String> = []
        for (place, system) in difference.systems.enumerated() {
            let comparison = OutcomeComparison(before, after, os: system)
            for (url, isGiven) in all {
                guard comparison.canTry(url, &allowance) else { break }
                if place == 0 {
                    tried += 1
                    if isGiven { difference.urls.given += 1 }
                }
                guard let change = comparison.change(url, isGiven: isGiven) else { continue }
                changed.insert(url)
                difference.outcomes.append(change)
            }
        }
        difference.urls.tried = tried
        difference.urls.changed = changed.count
        if allowance.isExhausted { difference.isTruncated = true }
        limitVerdicts()
    }

    /// URLs generated from the patterns of both files. Those of changed rules come first.
    private func samples(_ limit: Int, _ allowance: inout EvaluationAllowance) -> [String] {
        let system = difference.systems.max() ?? .latest
        let old = FileSampler(before, entries: entriesBefore, os: system)
        let new = FileSampler(after, entries: entriesAfter, os: system)
        let changed = difference.rules.filter { $0.kind != .sameMeaning }
        let (goneOrChanged, newOrChanged) = (Set(changed.compactMap(\.from)), Set(changed.compactMap(\.to)))
        let (oldFirst, oldRest) = old.split(goneOrChanged)
        let (newFirst, newRest) = new.split(newOrChanged)
        var collection = SampleCollection(limit: limit)
        collection.addAnywhere()
        for variable in difference.variables {
            let (values, others) = (Self.values(variable.before), Self.values(variable.after))
            let (gone, come) = (Self.examples(values, without: others), Self.examples(others, without: values))
            collection.add(values: gone, of: Array(variable.name.utf8), old, &allowance)
            collection.add(values: come, of: Array(variable.name.utf8), new, &allowance)
        }
        collection.add([(old, oldFirst), (new, newFirst)], &allowance)
        collection.add([(old, oldRest), (new, newRest)], &allowance)
        return collection.samples.map(\.url)
    }

    private static func values(_ value: JSONValue?) -> [[UInt8]] { VariableTable.values(value) ?? [] }

    /// Up to four values that the other list does not have. These are enough to show the effect of a changed variable.
    private static func examples(_ values: [[UInt8]], without others: [[UInt8]]) -> [[UInt8]] {
        let known = Set(others)
        return Array(values.lazy.filter { !known.contains($0) }.prefix(4))
    }

    private mutating func limitVerdicts() {
        var count = 0
        let end = difference.outcomes.firstIndex { outcome in
            count += max(1, outcome.apps.count)
            return count > Self.maximumVerdicts
        }
        guard let end else { return }
        difference.outcomes.removeSubrange(end...)
        difference.isTruncated = true
    }
}

extension FileSampler {
    /// The indices of the wanted rules, and those of the other rules.
    fileprivate func split(_ wanted: Set<JSONPointer>) -> (wanted: [Int], others: [Int]) {
        (
            rules.indices.filter { wanted.contains(rules[$0].pointer) },
            rules.indices.filter { !wanted.contains(rules[$0].pointer) }
        )
    }
}
