import StrictJSON

/// The rules of a file, prepared for generating and evaluating URLs.
struct FileSampler {
    /// A rule with its place and the index of its entry.
    struct Rule {
        let pointer: JSONPointer
        let entry: Int
        let excludes: Bool
        let sampler: RuleSampler
    }

    let rules: [Rule]

    private let compiled: CompiledAssociation
    private let weight: Int

    init(_ association: Association, entries: [PlacedEntry], os system: SystemVersion) {
        let variables = VariableValues(association.applinks?["substitutionVariables"])
        rules = entries.enumerated().flatMap { index, entry in
            entry.rules.map {
                Rule(
                    pointer: $0.pointer, entry: index, excludes: $0.meaning.excludes,
                    sampler: RuleSampler($0.reading, variables, os: system))
            }
        }
        compiled = CompiledAssociation(association, os: system)
        weight = EvaluationAllowance.weight(of: entries, variables, os: system)
    }

    /// Whether a rule decides a URL for one of its apps, or `nil` if the allowance is too small.
    func decides(_ rule: Rule, _ url: String, _ allowance: inout EvaluationAllowance) -> Bool? {
        guard allowance.spend(weight, for: url) else { return nil }
        return compiled.evaluate(url).apps.contains { $0.decidedBy == rule.pointer }
    }
}

/// Collects different URLs up to a limit. The most useful kinds come first, with one URL per rule for each kind.
struct SampleCollection {
    private(set) var samples: [SampleURL] = []

    private let limit: Int
    private var seen: Set<String> = []
    /// The number of remaining attempts. It limits the time if many rules produce the same URLs.
    private var attempts: Int

    /// The number of rules before and after a rule that are combined with it.
    private static let neighbours = 3

    init(limit: Int) {
        self.limit = limit
        attempts = 20 * max(limit, 0)
    }

    private var isFull: Bool { samples.count >= limit || attempts <= 0 }

    /// Adds URLs that do not depend on any rule.
    mutating func addAnywhere() {
        for url in ["/", "/x", "/x/y?x=y#z"] { add(url, .anywhere, nil) }
    }

    /// Adds URLs for the rules of one or two files, kind by kind. The files alternate.
    mutating func add(_ files: [(file: FileSampler, rules: [Int])], _ allowance: inout EvaluationAllowance) {
        forEachRule(files) { collection, file, index in collection.addMatch(file, file.rules[index], &allowance) }
        forEachRule(files) { collection, file, index in collection.addCrossings(file, index) }
        forEachRule(files) { collection, file, index in
            let rule = file.rules[index]
            for url in rule.sampler.nearMisses { collection.add(url.text, .nearMiss, rule.pointer) }
        }
        forEachRule(files) { collection, file, index in
            let rule = file.rules[index]
            for url in rule.sampler.spellings { collection.add(url.text, .spelling, rule.pointer) }
        }
    }

    /// Adds URLs with the given values of a variable, for the rules that use it.
    mutating func add(
        values: [[UInt8]], of name: [UInt8], _ file: FileSampler, _ allowance: inout EvaluationAllowance
    ) {
        for rule in file.rules {
            if isFull { return }
            attempts -= 1
            guard rule.sampler.variableNames.contains(name) else { continue }
            for value in values {
                var filling = RuleSampler.Filling.short
                filling.chosen = (name, value)
                addChecked(file, rule, [filling], &allowance)
            }
        }
    }

    private mutating func forEachRule(
        _ files: [(file: FileSampler, rules: [Int])], _ body: (inout SampleCollection, FileSampler, Int) -> Void
    ) {
        for turn in 0..<(files.map(\.rules.count).max() ?? 0) {
            for (file, rules) in files where turn < rules.count {
                if isFull { return }
                body(&self, file, rules[turn])
            }
        }
    }

    private mutating func addMatch(
        _ file: FileSampler, _ rule: FileSampler.Rule, _ allowance: inout EvaluationAllowance
    ) {
        addChecked(file, rule, [.short, .other, .empty, .deep], &allowance)
    }

    /// Adds the first URL that the rule decides, or otherwise the first URL generated from its patterns.
    private mutating func addChecked(
        _ file: FileSampler, _ rule: FileSampler.Rule, _ fillings: [RuleSampler.Filling],
        _ allowance: inout EvaluationAllowance
    ) {
        var fallback: String?
        for filling in fillings {
            guard let url = rule.sampler.url(filling).text else { continue }
            attempts -= 1
            // Another rule already has this URL, so try the next one.
            if seen.contains(url) { continue }
            guard let decides = file.decides(rule, url, &allowance) else { return }
            if decides {
                add(url, .match, rule.pointer)
                return
            }
            fallback = fallback ?? url
        }
        add(fallback, .overlap, rule.pointer)
    }

    private mutating func addCrossings(_ file: FileSampler, _ index: Int) {
        let rule = file.rules[index]
        let near = max(0, index - Self.neighbours)...min(file.rules.count - 1, index + Self.neighbours)
        for other in near where other != index && file.rules[other].entry == rule.entry {
            add(rule.sampler.crossing(file.rules[other].sampler)?.text, .crossing, rule.pointer)
        }
    }

    private mutating func add(_ url: String?, _ purpose: SampleURL.Purpose, _ rule: JSONPointer?) {
        attempts -= 1
        guard let url, samples.count < limit, seen.insert(url).inserted else { return }
        samples.append(SampleURL(url: url, purpose: purpose, rule: rule))
    }
}
