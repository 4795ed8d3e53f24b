import StrictJSON

/// A file in the usual reading, or in the alternative reading of one open rule (see ``PatternReading``).
///
/// ``CompiledAssociation`` decides, because it is faster. This type explains the decision, and determines the outcome
/// in an alternative reading. A test checks that the two types agree.
final class FileReading: Sendable {
    struct Entry: Sendable {
        let pointer: JSONPointer
        /// The rules. `nil` without `components` and `paths`: the entry then matches every URL, unless it is `isVoid`.
        let rules: [RuleTest]?
        /// Whether the entry matches no URL in this reading.
        let isVoid: Bool
        let openRules: Set<OpenRule>
    }

    struct App {
        let id: String
        /// The entries that contain the app, in order.
        var entries: [Int]
        /// Whether the file spells the ID differently.
        let isRespelled: Bool
    }

    typealias Verdict = (outcome: Evaluation.Outcome, entry: Int, rule: Int?)

    let system: SystemVersion
    let patterns: PatternReading
    let entries: [Entry]
    let apps: [App]
    /// The open rules that can affect any outcome.
    let openRules: Set<OpenRule>
    /// The open rules that concern the whole file, not a single rule.
    private let fileRules: Set<OpenRule>

    /// The number of rules in the file.
    var ruleCount: Int { entries.reduce(0) { $0 + ($1.rules?.count ?? 0) } }

    init(_ association: Association, os system: SystemVersion, departure: OpenRule?) {
        self.system = system
        var fileRules: Set<OpenRule> = []
        let association = Self.respelled(association, departure, &fileRules)
        // Before iOS 13.5, `$(…)` is literal text.
        let variables =
            system >= .ios13point5 ? VariableReading(association.applinks?["substitutionVariables"]) : nil
        let patterns = PatternReading(departure: departure, variables: variables)
        self.patterns = patterns
        let fileDefaults = association.defaults(os: system)
        let hasDetails = association.applinks?["details"] != nil
        var (entries, apps): ([Entry], [App]) = ([], [])
        var places: [[UInt8]: Int] = [:]
        for source in association.entries(os: system, patterns, &fileRules) {
            for app in source.apps {
                // No installed app has an ID whose prefix has a wrong length [REP].
                if !app.hasWholePrefix, patterns.departs(from: .appIDPrefix, &fileRules) { continue }
                let key = Array(app.normalized.utf8)
                if let place = places[key] {
                    if apps[place].entries.last != entries.count { apps[place].entries.append(entries.count) }
                } else {
                    places[key] = apps.count
                    let isRespelled = !app.text.utf8.elementsEqual(app.normalized.utf8)
                    apps.append(App(id: app.normalized, entries: [entries.count], isRespelled: isRespelled))
                }
            }
            entries.append(Self.entry(source, fileDefaults, patterns, system, hasDetails: hasDetails))
        }
        self.entries = entries
        self.apps = apps
        if apps.contains(where: { $0.entries.count > 1 }) { fileRules.insert(.repeatedApp) }
        if apps.contains(where: \.isRespelled) { fileRules.insert(.appIDPrefixCase) }
        if association.applinks?["details"]?.object != nil { fileRules.insert(.legacyDetailsOrder) }
        self.fileRules = fileRules
        openRules = entries.reduce(into: fileRules) { all, entry in
            all.formUnion(entry.openRules)
            for rule in entry.rules ?? [] { all.formUnion(rule.openRules) }
        }
    }

    /// The file with its keys in Apple's letter case, if the reading ignores the letter case of keys.
    private static func respelled(
        _ association: Association, _ departure: OpenRule?, _ met: inout Set<OpenRule>
    ) -> Association {
        guard departure == nil || departure == .keyCase else { return association }
        let respelled = association.respelled
        if respelled == association { return association }
        met.insert(.keyCase)
        return departure == .keyCase ? respelled : association
    }

    private static func entry(
        _ source: EntryReading, _ fileDefaults: JSONObject?, _ patterns: PatternReading, _ system: SystemVersion,
        hasDetails: Bool
    ) -> Entry {
        var met: Set<OpenRule> = []
        let defaults = [source.defaults, fileDefaults].compactMap(\.self)
        let sources: [RuleSource]?
        switch source.patterns {
        case .unrestricted: sources = nil
        case .components(let components, let pointer):
            sources = components.enumerated().map {
                RuleSource(pointer: pointer.appending($0), isPath: false, value: $1, defaults: defaults)
            }
        case .paths(let paths, let pointer):
            sources = paths.enumerated().map {
                RuleSource(pointer: pointer.appending($0), isPath: true, value: $1, defaults: defaults)
            }
        }
        let rules = sources?.map { RuleTest($0, patterns, os: system) }
        let isVoid = rules == nil && patterns.departs(from: hasDetails ? .unrestrictedEntry : .appsWithoutDetails, &met)
        return Entry(pointer: source.pointer, rules: rules, isVoid: isVoid, openRules: met)
    }

    /// The outcome of a URL for each app, in file order. Adds to `met` the open rules that were used. If `mayContinue`
    /// returns false, stops and sets `work` to 0.
    func verdicts(
        _ url: URLTexts, _ work: inout Int, _ met: inout Set<OpenRule>, while mayContinue: () -> Bool
    ) -> [Verdict] {
        met.formUnion(fileRules)
        var known: [Int: Verdict] = [:]
        return apps.map { app in
            // "Same app in two details items: the first item wins" [REP]; other matchers try all of them.
            let entries = patterns.departure == .repeatedApp ? app.entries[...] : app.entries.prefix(1)
            var verdict: Verdict = (.none, app.entries.first ?? 0, nil)
            for entry in entries {
                let found = known[entry] ?? self.verdict(entry, url, &work, &met, while: mayContinue)
                known[entry] = found
                // An exclusion applies only to its own entry [REP], so a later entry can still open the app.
                if found.outcome != .none { verdict = found }
                if found.outcome == .opens { break }
            }
            return verdict
        }
    }

    /// "Per app, components (or paths) top to bottom, first one that matches decides: match, or blocked when `exclude`"
    /// [DOC]/[OBS].
    private func verdict(
        _ index: Int, _ url: URLTexts, _ work: inout Int, _ met: inout Set<OpenRule>, while mayContinue: () -> Bool
    ) -> Verdict {
        let entry = entries[index]
        met.formUnion(entry.openRules)
        guard let rules = entry.rules else { return (entry.isVoid ? .none : .opens, index, nil) }
        for (place, rule) in rules.enumerated() where work > 0 {
            if place % 64 == 63, !mayContinue() { work = 0 }
            if !rule.openRules.isEmpty { met.formUnion(rule.openRules) }
            if rule.matches(url, patterns, &work, &met) { return (rule.excludes ? .excluded : .opens, index, place) }
        }
        return (.none, index, nil)
    }
}

extension RuleTest {
    /// "Inside one component: path, fragment, query, all must match" [DOC]/[OBS].
    func matches(_ url: URLTexts, _ reading: PatternReading, _ work: inout Int, _ met: inout Set<OpenRule>) -> Bool {
        if isVoid { return false }
        if let path {
            let text = url.path(form, asWritten: isPathAsWritten, &met)
            if !path.matches(text, reading, form, &work) { return false }
        }
        if let fragment, !fragment.matches(url.fragment(form, &met), reading, form, &work) { return false }
        switch query {
        case .any: return true
        case .whole(let test): return test.matches(url.query(form, &met), reading, form, &work)
        case .items(let items):
            let present = url.items(form, &met)
            return items.allSatisfy { item in
                guard work > 0 else { return false }
                let values = item.values(among: present, reading, &work)
                return values.allSatisfy { item.test.matches($0, reading, form, &work) }
            }
        }
    }
}

extension RuleTest.Item {
    /// The values to compare with the item's pattern: those of all items with this name, because "every occurrence"
    /// must match [OBS]. If the URL has no such item, one empty text: "name absent from the URL: compared as `""`" [DOC
    /// WWDC19]/[OBS].
    func values(among items: [URLTexts.Item], _ reading: PatternReading, _ work: inout Int) -> [[UInt8]] {
        let wanted = Array(name.utf8)
        work -= items.count / 8 + 1
        let values = items.filter { item in
            if let namePattern { return namePattern.match(item.name, &work).matches }
            if item.name == wanted { return true }
            // "Compared exactly, even with `caseSensitive: false`" [REP].
            return reading.departure == .queryItemNameCase
                && CaseFolding.folded(item.name) == CaseFolding.folded(wanted)
        }.map(\.value)
        return values.isEmpty ? [[]] : values
    }
}

extension PartTest {
    func matches(_ text: [UInt8], _ reading: PatternReading, _ form: TextForm, _ work: inout Int) -> Bool {
        if text == URLTexts.undecodable { return compared == [UInt8(ascii: "*")] }
        if pattern.matches(text, reading, &work) { return true }
        // "NFC and NFD are distinct" [REP], but Swift strings treat them as equal.
        return reading.departure == .canonicalEquivalence
            && String(decoding: text, as: UTF8.self) == String(decoding: compared, as: UTF8.self)
    }
}
