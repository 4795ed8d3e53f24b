import StrictJSON

/// A rule in its form for comparison with URLs.
struct CompiledRule: Sendable {
    enum Query: Sendable {
        case any
        case whole(Pattern)
        case items([Item])
    }

    struct Item: Sendable {
        let name: [UInt8]
        let pattern: Pattern
    }

    /// The rule in the file.
    let pointer: JSONPointer
    /// Whether it excludes URLs.
    let excludes: Bool
    let path: Pattern?
    let query: Query
    let fragment: Pattern?
    /// The form in which the rule needs the URL's parts.
    let form: ComparedForm

    init(_ reading: ComponentReading, at pointer: JSONPointer, variables: VariableTable?) {
        self.pointer = pointer
        excludes = reading.excludes
        let form = ComparedForm(isFolded: !reading.caseSensitive, isDecoded: !reading.percentEncoded)
        self.form = form
        func pattern(_ text: [UInt8]) -> Pattern {
            Pattern(text, caseSensitive: !form.isFolded, variables: variables)
        }
        path = reading.path.map { pattern(PathNormalization.normalized(Array($0.utf8))) }
        fragment = reading.fragment.map { pattern(Array($0.utf8)) }
        query =
            switch reading.query {
            case .any: .any
            case .whole(let text): .whole(pattern(Array(text.utf8)))
            // "Names are literals: no wildcards, no variables [REP]; compared exactly, even with
            // `caseSensitive: false` [REP]."
            case .items(let items):
                .items(items.map { Item(name: Array($0.name.utf8), pattern: pattern(Array($0.pattern.utf8))) })
            }
    }

    /// All patterns of the rule.
    var patterns: [Pattern] {
        let inQuery: [Pattern] =
            switch query {
            case .any: []
            case .whole(let pattern): [pattern]
            case .items(let items): items.map(\.pattern)
            }
        return [path].compactMap(\.self) + inQuery + [fragment].compactMap(\.self)
    }

    /// "Inside one component: path, fragment, query, all must match" [DOC]/[OBS].
    func matches(_ url: ComparedURL, _ budget: inout MatchBudget) -> Bool {
        budget.spend(1)
        if let path, !path.matches(url.path(form), &budget) { return false }
        if let fragment, !fragment.matches(url.fragment(form), &budget) { return false }
        switch query {
        case .any: return true
        case .whole(let pattern): return pattern.matches(url.query(form), &budget)
        case .items(let items): return items.allSatisfy { matches($0, url, &budget) }
        }
    }

    /// "Name absent from the URL: compared as `""`" [DOC WWDC19]/[OBS]. "Name repeated: every occurrence must match"
    /// [OBS].
    private func matches(_ item: Item, _ url: ComparedURL, _ budget: inout MatchBudget) -> Bool {
        let values = url.values(of: item.name, form)
        guard !values.isEmpty else { return item.pattern.matches(url.empty, &budget) }
        return values.allSatisfy { item.pattern.matches($0, &budget) }
    }
}
