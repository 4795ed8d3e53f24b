/// For each part of a URL, the beginning that all URLs have in common that a rule matches. It has lower-case
/// characters, and ends at the first character that can differ.
struct RuleBeginnings {
    /// A part of a URL other than its path.
    enum Part: Hashable {
        case fragment
        case query
        case item([UInt8])
    }

    /// A wildcard for one character.
    static let any = UInt32.max

    let path: [UInt32]
    /// The other parts with a known beginning.
    let parts: [(part: Part, text: [UInt32])]

    private let query: RuleShape.Query

    /// Computes the beginnings of a rule. Returns `nil` if a variable has no usable value.
    ///
    /// - Parameter spelledOut: Whether to replace each variable by one of its values.
    init?(_ rule: RuleShape, spelledOut: Bool = false) {
        func beginning(_ pattern: PatternShape) -> [UInt32]? {
            let tokens = spelledOut ? pattern.spelledOut : pattern.tokens
            return tokens.map { Self.beginning($0, pattern.table) }
        }
        var parts: [(part: Part, text: [UInt32])] = []
        func add(_ part: Part, _ pattern: PatternShape) -> Bool {
            guard let text = beginning(pattern) else { return false }
            if !text.isEmpty { parts.append((part, text)) }
            return true
        }
        if let fragment = rule.fragment, !add(.fragment, fragment) { return nil }
        switch rule.query {
        case .any: break
        case .whole(let pattern): if !add(.query, pattern) { return nil }
        case .items(let items):
            for item in items where !add(.item(Array(item.name.utf8)), item.pattern) { return nil }
        }
        self.parts = parts
        query = rule.query
        guard let pattern = rule.path, !rule.isPathAny else {
            path = []
            return
        }
        guard let text = beginning(pattern) else { return nil }
        path = text
    }

    /// The beginning of a part, or `nil` if it is unknown.
    func text(of part: Part) -> [UInt32]? { parts.first { $0.part == part }?.text }

    /// Whether ``ExampleURL`` can create an example that meets both this rule and a rule with a pattern for a part. It
    /// can combine neither two patterns for whole queries, nor a pattern for a whole query and items.
    func canMeet(_ part: Part) -> Bool {
        switch (query, part) {
        case (.whole, .query), (.whole, .item), (.items, .query): false
        default: true
        }
    }

    private static func beginning(_ tokens: [PatternShape.Token], _ table: VariableShapes) -> [UInt32] {
        var text: [UInt32] = []
        text.reserveCapacity(tokens.count)
        for token in tokens {
            switch token {
            case .character(let scalar): text.append(PatternShape.folded(scalar))
            case .one: text.append(any)
            case .variable(let number) where table.all[number].isOneCharacter: text.append(any)
            case .variable, .run: return text
            }
        }
        return text
    }
}
