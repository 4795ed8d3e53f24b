import StrictJSON

/// The meaning of a rule, with `defaults`, normalisation and letter case applied. Two rules with equal meanings match
/// the same URLs and have the same effect, if the variables have the same values.
struct RuleMeaning {
    /// The path pattern, or `nil` for any path.
    let path: JSONValue?
    /// The query's pattern, or its patterns by name, or `nil` for any query.
    let query: JSONValue?
    /// The fragment pattern, or `nil` for any fragment.
    let fragment: JSONValue?
    let excludes: Bool
    let caseSensitive: Bool
    let percentEncoded: Bool
    /// A sort key. Two keys are equal if the meanings are equal.
    let key: [UInt8]

    /// Computes the meaning of a rule on a system.
    init(_ reading: ComponentReading, os system: SystemVersion) {
        let isFolded = !reading.caseSensitive
        func pattern(_ text: [UInt8]) -> JSONValue? {
            let pieces = PatternPieces(of: text, knowsVariables: system >= .ios13point5)
            let canonical = pieces.canonicalText(isFolded: isFolded)
            return canonical == Array("*".utf8) ? nil : .string(String(decoding: canonical, as: UTF8.self))
        }
        let path = reading.path.flatMap { pattern(PathNormalization.normalized(Array($0.utf8))) }
        // A normalised path always starts with a slash, so `/*` matches any path.
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
        // Without a pattern, the two flags have no effect.
        let hasPattern = self.path != nil || query != nil || fragment != nil
        caseSensitive = reading.caseSensitive || !hasPattern
        percentEncoded = reading.percentEncoded || !hasPattern
        let flags = [excludes, caseSensitive, percentEncoded].map { JSONValue.bool($0) }
        key = JSONValue.array([self.path ?? .null, query ?? .null, fragment ?? .null] + flags).bytes()
    }

    /// The patterns, without `exclude` and with letters folded.
    var patternKey: [UInt8] { CaseFolding.folded(JSONValue.array(patterns).bytes()) }

    /// The path with folded letters, or `nil` for any path.
    var pathKey: [UInt8]? { path.map { CaseFolding.folded($0.bytes()) } }

    private var patterns: [JSONValue] { [path ?? .null, query ?? .null, fragment ?? .null] }
}

extension PatternPieces {
    /// The canonical form of the pattern. Runs of `*` are collapsed. Letters are folded if letter case is ignored.
    /// Names of variables are unchanged.
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

/// A rule with its place, its JSON and its meaning.
struct PlacedRule {
    let pointer: JSONPointer
    /// The component, or the element of `paths`. `nil` for an entry without rules, which counts as one rule that
    /// matches every URL.
    let json: JSONValue?
    let reading: ComponentReading
    let meaning: RuleMeaning

    /// Whether the rule is an element of `paths`.
    var isPath: Bool { pointer.tokens.dropLast().last == "paths" }
}

/// An element of `applinks.details` with its rules.
struct PlacedEntry {
    let reading: EntryReading
    /// The object, or `nil` for an app in `applinks.apps`.
    let json: JSONObject?
    /// The apps in order, without duplicates.
    let apps: [String]
    let rules: [PlacedRule]

    var pointer: JSONPointer { reading.pointer }

    /// The apps as bytes, for comparison.
    var appKeys: [[UInt8]] { apps.map { Array($0.utf8) } }

    /// A sort key. Two keys are equal if the apps and rules are equal.
    var key: [UInt8] { Array((appKeys + [[]] + rules.map(\.meaning.key) + [[]]).joined(separator: [0])) }
}

extension Association {
    /// The entries of the file in order, with the meanings of their rules.
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
