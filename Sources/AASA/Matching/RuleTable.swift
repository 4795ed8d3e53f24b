/// The rules of a file in flat memory, for fast decisions. Only the initialiser writes the memory, so threads can share
/// it.
final class RuleTable: @unchecked Sendable {
    /// A rule of the table.
    struct Rule: BitwiseCopyable {
        /// The index of the rule's entry.
        let entry: Int32
        /// The form of the rule's path, query and fragment.
        let form: Int8
        let excludes: Bool
        /// Whether the rule has only a path.
        let isPathOnly: Bool
        /// The comparison that remains after the path's prefix has matched.
        var pathTail: PatternView.Tail
        /// The length of the path's prefix.
        let pathPrefix: Int32
        /// The indices of the rule's patterns in the table, or -1 for none.
        let path: Int32
        let query: Int32
        let fragment: Int32
        /// The range of the rule's query items.
        let firstItem: Int32
        let itemCount: Int32
    }

    /// A query item in a rule.
    struct Item: BitwiseCopyable {
        let hash: UInt32
        let nameOffset: Int
        let nameCount: Int
        let pattern: Int
    }

    /// The result of an entry if no rule has decided.
    static let undecided: Int32 = -1
    /// The result of an entry without rules, which matches every URL.
    static let unrestricted: Int32 = -2

    /// A view of the table. It is valid as long as the table exists.
    struct View: BitwiseCopyable {
        let rules: UnsafePointer<Rule>
        let ruleCount: Int
        let patterns: UnsafePointer<PatternView>
        let items: UnsafePointer<Item>
        let names: UnsafePointer<UInt8>
        let index: PrefixIndex.View
        let results: UnsafePointer<Int32>
        let entryCount: Int
        let apps: UnsafePointer<Int32>
        let appCount: Int
        let variables: VariableList
    }

    private let variables: [Variable]
    private let variableList: ScratchMemory<Unmanaged<Variable>>
    private let rules: ScratchMemory<Rule>
    private let patterns: ScratchMemory<PatternView>
    private let items: ScratchMemory<Item>
    /// The concatenated names of the items.
    private let names: ScratchMemory<UInt8>
    /// The concatenated code of all patterns.
    private let code: ScratchMemory<UInt32>
    private let index: PrefixIndex
    /// The result of each entry before any rule has been tried.
    private let results: ScratchMemory<Int32>
    /// The entry of each app.
    private let apps: ScratchMemory<Int32>

    /// Creates a table from the rules of entries and the entry of each app.
    ///
    /// - Parameters:
    ///   - entries: The rules of each entry, or `nil` if it has neither `components` nor `paths`.
    ///   - apps: The entry of each app.
    init(entries: [[CompiledRule]?], apps appEntries: [Int]) {
        var layout = RuleLayout()
        var results = ScratchMemory<Int32>(capacity: entries.count)
        for (number, rules) in entries.enumerated() {
            results.append(rules == nil ? Self.unrestricted : Self.undecided)
            for rule in rules ?? [] { layout.add(rule, entry: number) }
        }
        var apps = ScratchMemory<Int32>(capacity: appEntries.count)
        for entry in appEntries { apps.append(Int32(truncatingIfNeeded: entry)) }
        layout.placePatterns()
        index = PrefixIndex(layout.prefixes, layout.code.start)
        variables = layout.variables
        rules = layout.rules
        patterns = layout.patterns
        items = layout.items
        names = layout.names
        code = layout.code
        self.results = results
        self.apps = apps
        var list = ScratchMemory<Unmanaged<Variable>>(capacity: variables.count)
        for variable in variables { list.append(.passUnretained(variable)) }
        variableList = list
    }

    var view: View {
        View(
            rules: UnsafePointer(rules.start), ruleCount: rules.count, patterns: UnsafePointer(patterns.start),
            items: UnsafePointer(items.start), names: UnsafePointer(names.start),
            index: index.view(UnsafePointer(code.start)), results: UnsafePointer(results.start),
            entryCount: results.count, apps: UnsafePointer(apps.start), appCount: apps.count,
            variables: VariableList(start: UnsafePointer(variableList.start)))
    }
}

/// Writes rules to flat memory, one after another.
private struct RuleLayout: ~Copyable {
    var variables: [Variable] = []
    var rules = ScratchMemory<RuleTable.Rule>(capacity: 64)
    var patterns = ScratchMemory<PatternView>(capacity: 64)
    var items = ScratchMemory<RuleTable.Item>(capacity: 16)
    var names = ScratchMemory<UInt8>(capacity: 64)
    var code = ScratchMemory<UInt32>(capacity: 1_024)
    /// The literal beginning of each rule's path pattern, or `nil` if the rule never matches.
    var prefixes: [PrefixIndex.Prefix?] = []

    /// The place of each pattern's code and of its variables.
    private var places: [(offset: Int, count: Int, firstVariable: Int)] = []

    mutating func add(_ rule: CompiledRule, entry: Int) {
        let firstItem = items.count
        var wholeQuery: Pattern?
        switch rule.query {
        case .any: break
        case .whole(let pattern): wholeQuery = pattern
        case .items(let named):
            for item in named {
                let name = item.name.withUnsafeBufferPointer { PreparedURL.hash($0) }
                let offset = names.reserve(item.name.count)
                for (index, byte) in item.name.enumerated() { names.start[offset + index] = byte }
                items.append(
                    RuleTable.Item(
                        hash: name, nameOffset: offset, nameCount: item.name.count, pattern: add(item.pattern)))
            }
        }
        let isPathOnly = wholeQuery == nil && rule.fragment == nil && items.count == firstItem
        let path = rule.path.map { add($0) }
        let prefix = rule.path.map { $0.code.firstIndex { $0 >= StepCode.one } ?? $0.code.count } ?? 0
        prefixes.append(
            rule.patterns.contains(where: \.isDefective)
                ? nil
                : PrefixIndex.Prefix(
                    form: rule.form.number, offset: path.map { places[$0].offset } ?? 0, count: prefix))
        rules.append(
            RuleTable.Rule(
                entry: number(entry), form: Int8(truncatingIfNeeded: rule.form.number), excludes: rule.excludes,
                isPathOnly: isPathOnly, pathTail: .anything, pathPrefix: number(prefix), path: number(path),
                query: number(wholeQuery.map { add($0) }), fragment: number(rule.fragment.map { add($0) }),
                firstItem: number(firstItem), itemCount: number(items.count - firstItem)))
    }

    /// Creates the views of the patterns. Call it after all code is at its final place.
    mutating func placePatterns() {
        for place in places {
            patterns.append(
                PatternView(code.start + place.offset, count: place.count, firstVariable: place.firstVariable))
        }
        for index in 0..<rules.count where rules.start[index].path >= 0 {
            rules.start[index].pathTail = patterns.start[Int(rules.start[index].path)].tail
        }
    }

    private mutating func add(_ pattern: Pattern) -> Int {
        let offset = code.reserve(pattern.code.count)
        for (index, step) in pattern.code.enumerated() { code.start[offset + index] = step }
        places.append((offset, pattern.code.count, variables.count))
        variables += pattern.variables
        return places.count - 1
    }

    /// Files have at most 1 MiB, so every number fits.
    private func number(_ value: Int?) -> Int32 { Int32(truncatingIfNeeded: value ?? -1) }
}
