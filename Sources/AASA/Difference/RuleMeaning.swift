import StrictJSON

/// What a rule means once `defaults`, normalisation and letter case are accounted for: two rules with equal meanings
/// match the same URLs, as long as the variables have the same values, and do the same with them.
struct RuleMeaning {
    /// The path pattern; nil for any path.
    let path: JSONValue?
    /// The query's pattern, or its patterns by name; nil for any query.
    let query: JSONValue?
    /// The fragment pattern; nil for any fragment.
    let fragment: JSONValue?
    let excludes: Bool
    let caseSensitive: Bool
    let percentEncoded: Bool
    /// The meaning as text that orders and tells apart.
    let key: [UInt8]

    /// The meaning of a rule as a system reads it.
    init(_ reading: ComponentReading, os system: SystemVersion) {
        let isFolded = !reading.caseSensitive
        func pattern(_ text: [UInt8]) -> JSONValue? {
            let pieces = PatternPieces(of: text, knowsVariables: system >= .ios13point5)
            let canonical = pieces.canonicalText(isFolded: isFolded)
            return canonical == Array("*".utf8) ? nil : .string(String(decoding: canonical, as: UTF8.self))
        }
        let path = reading.path.flatMap { pattern(PathNormalization.normalized(Array($0.utf8))) }
        // Every URL's path begins with a slash once it is normalised, so `/*` is no constraint.
        self.path = path == "/*" ? nil : path
        fragment = reading.fragment.flatMap { pattern(Array($0.utf8)) }
        switch reading.query {
        case .any: query = nil
        case .whole(let text): query = pattern(Array(text.utf8))
        case .items(let items):
            // "`{"q":"*"}` constrains nothing" [DOC WWDC19]/[OBS]; "order in URL irrelevant" [DOC].
            let wanted = items.compactMap { item in pattern(Array(item.pattern.utf8)).map { (item.name, $0) } }
            query = wanted.isEmpty ? nil : .object(JSONObject(wanted).sorted())
        }
        excludes = reading.excludes
        // Without a pattern there is nothing that the two flags could bear upon.
        let hasPattern = self.path != nil || query != nil || fragment != nil
        caseSensitive = reading.caseSensitive || !hasPattern
        percentEncoded = reading.percentEncoded || !hasPattern
        let flags = [excludes, caseSensitive, percentEncoded].map { JSONValue.bool($0) }
        key = JSONValue.array([self.path ?? .null, query ?? .null, fragment ?? .null] + flags).bytes()
    }

    /// What is compared, without what is done then, and whatever letter case counts.
    var patternKey: [UInt8] { CaseFolding.folded(JSONValue.array(patterns).bytes()) }

    /// The path alone, whatever letter case counts; nil for any.
    var pathKey: [UInt8]? { path.map { CaseFolding.folded($0.bytes()) } }

    private var patterns: [JSONValue] { [path ?? .null, query ?? .null, fragment ?? .null] }
}

extension PatternPieces {
    /// The pattern written in the one way that all patterns of its meaning share: runs collapsed, and letters folded
    /// where their case does not count. Names of variables stay as they are.
    fileprivate func canonicalText(isFolded: Bool) -> [UInt8] {
        flatMap { piece -> [UInt8] in
            switch piece {
            case .literal(let bytes): isFolded ? CaseFolding.folded(Array(bytes)) : Array(bytes)
            case .one, .backslash: Array("?".utf8)
            case .run: Array("*".utf8)
            case .variable(let name): Array("$(".utf8) + name + Array(")".utf8)
            case .unterminatedVariable: Array("$(".utf8)
            }
        }
    }
}

/// A rule with its place, its text and its meaning.
struct PlacedRule {
    let pointer: JSONPointer
    /// The component, or the element of `paths`; nil for an entry that nothing restricts, which stands for one rule
    /// that matches every URL.
    let json: JSONValue?
    let reading: ComponentReading
    let meaning: RuleMeaning

    /// Whether the rule is an element of `paths`.
    var isPath: Bool { pointer.tokens.dropLast().last == "paths" }
}

/// An element of `applinks.details` with its rules.
struct PlacedEntry {
    let reading: EntryReading
    /// The object; nil for an app of `applinks.apps`.
    let json: JSONObject?
    /// The apps, each once, in order.
    let apps: [String]
    let rules: [PlacedRule]

    var pointer: JSONPointer { reading.pointer }

    /// The apps by their bytes, which tell them apart.
    var appKeys: [[UInt8]] { apps.map { Array($0.utf8) } }

    /// Apps and rules as text that orders and tells apart.
    var key: [UInt8] { Array((appKeys + [[]] + rules.map(\.meaning.key) + [[]]).joined(separator: [0])) }
}

extension Association {
    /// The entries of the file, in order, with the meanings of their rules.
    func placedEntries(os system: SystemVersion) -> [PlacedEntry] {
        let fileDefaults = defaults(os: system)
        let file = JSONValue.object(root)
        return entries(os: system).map { entry in
            let readings = RuleReading.rules(of: entry, fileDefaults: fileDefaults, os: system)
            let rules = (readings ?? [(ComponentReading(.null, defaults: [], os: system), entry.pointer)]).map {
                PlacedRule(
                    pointer: $0.pointer, json: readings == nil ? nil : file[$0.pointer], reading: $0.component,
                    meaning: RuleMeaning($0.component, os: system))
            }
            var seen: Set<[UInt8]> = []
            let apps = entry.apps.map(\.normalized).filter { seen.insert(Array($0.utf8)).inserted }
            return PlacedEntry(reading: entry, json: file[entry.pointer]?.object, apps: apps, rules: rules)
        }
    }
}
