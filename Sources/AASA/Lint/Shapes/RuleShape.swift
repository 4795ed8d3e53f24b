import StrictJSON

/// A rule as lint reasons about it, `defaults` merged in, as the latest systems read it.
final class RuleShape {
    enum Query {
        case any
        case whole(PatternShape)
        case items([(name: String, pattern: PatternShape)])
    }

    let pointer: JSONPointer
    let excludes: Bool
    /// Whether URLs are compared percent-decoded.
    let isDecoded: Bool
    /// Whether letter case is ignored.
    let isFolded: Bool
    /// Nil for any.
    let path: PatternShape?
    let query: Query
    /// Nil for any.
    let fragment: PatternShape?
    /// Whether it is an element of `paths`.
    let isPath: Bool
    /// Whether what it matches is certain: neither `**` as a whole pattern, nor a path of one character or none, nor
    /// anything else of which it is only reported what it does.
    let isCertain: Bool
    /// Whether every path matches.
    let isPathAny: Bool
    /// Whether every query matches.
    let isQueryAny: Bool
    /// Whether some pattern can never match.
    let isDefective: Bool
    /// The steps of all patterns: what comparing costs grows with the product of both rules' sizes.
    let size: Int

    init(_ reading: ComponentReading, at pointer: JSONPointer, isPath: Bool, variables: VariableShapes) {
        self.pointer = pointer
        self.isPath = isPath
        excludes = reading.excludes
        isFolded = !reading.caseSensitive
        isDecoded = !reading.percentEncoded
        let isFolded = isFolded
        func shape(_ text: [UInt8]) -> PatternShape {
            PatternShape(text, isFolded: isFolded, variables: variables)
        }
        let written = reading.path.map { Array($0.utf8) }
        path = written.map { shape(PathNormalization.normalized($0)) }
        fragment = reading.fragment.map { shape(Array($0.utf8)) }
        query =
            switch reading.query {
            case .any: .any
            case .whole(let text): .whole(shape(Array(text.utf8)))
            case .items(let items): .items(items.map { ($0.name, shape(Array($0.pattern.utf8))) })
            }
        isCertain = written.map { $0.count > 1 && $0 != Array("**".utf8) || $0 == [0x2A] || $0 == [0x2F] } ?? true
        // "Every URL's path begins with a slash once it is normalised", so `/*` is no constraint.
        isPathAny = path.map { $0.matchesEverything || $0.isSlashAndAnything } ?? true
        // An absent query item is compared as empty, so `*` is no constraint either.
        isQueryAny =
            switch query {
            case .any: true
            case .whole(let pattern): pattern.matchesEverything
            case .items(let items): items.allSatisfy(\.pattern.matchesEverything)
            }
        let patterns = Self.patterns(path, query, fragment)
        isDefective = patterns.contains { $0.defect != nil }
        size = patterns.reduce(1) { $0 + $1.tokens.count }
    }

    /// Every pattern of the rule.
    var patterns: [PatternShape] { Self.patterns(path, query, fragment) }

    private static func patterns(_ path: PatternShape?, _ query: Query, _ fragment: PatternShape?) -> [PatternShape] {
        let inQuery: [PatternShape] =
            switch query {
            case .any: []
            case .whole(let pattern): [pattern]
            case .items(let items): items.map(\.pattern)
            }
        return [path].compactMap(\.self) + inQuery + [fragment].compactMap(\.self)
    }

    /// Whether every URL matches.
    var matchesEverything: Bool { isPathAny && isQueryAny && fragment?.matchesEverything ?? true }
}

extension RuleShape {
    /// A quick test that most pairs fail: whether this rule's path may cover the other's.
    func pathMayCover(_ other: RuleShape) -> Bool {
        if isPathAny { return true }
        guard let path, let theirs = other.path else { return path == nil }
        return path.mayCover(theirs)
    }

    /// A test of all parts without comparing them step by step: whether this rule may cover the other.
    func mayCover(_ other: RuleShape) -> Bool { covers(other) { $0.mayCover($1) } }

    /// Whether every URL that `other` matches is matched by this rule too. Conservative, as ``PatternShape/covers(_:)``.
    func covers(_ other: RuleShape) -> Bool { covers(other) { $0.covers($1) } }

    /// The same of URLs without anything encoded, which both compare as one text.
    func coversPlain(_ other: RuleShape) -> Bool { covers(other, isPlain: true) { $0.covers($1) } }

    private func covers(
        _ other: RuleShape, isPlain: Bool = false, by covers: (PatternShape, PatternShape) -> Bool
    ) -> Bool {
        func part(_ mine: PatternShape?, _ theirs: PatternShape?) -> Bool {
            guard let mine else { return true }
            return theirs.map { covers(mine, $0) } ?? false
        }
        // Decoded and encoded text are different texts: only what takes any text covers across.
        let isComparable = isPlain || isDecoded == other.isDecoded
        return (isPathAny || (isComparable && part(path, other.path)))
            && (fragment?.matchesEverything ?? true || (isComparable && part(fragment, other.fragment)))
            && (isQueryAny || (isComparable && coversQuery(of: other, by: covers)))
    }

    private func coversQuery(of other: RuleShape, by covers: (PatternShape, PatternShape) -> Bool) -> Bool {
        switch (query, other.query) {
        case (.whole(let mine), .whole(let theirs)): return covers(mine, theirs)
        case (.items(let mine), .items(let theirs)):
            // Whether names ignore letter case with `caseSensitive: false` is not known, so both must agree on it.
            guard isFolded == other.isFolded || !isFolded else { return false }
            return mine.allSatisfy { item in
                if item.pattern.matchesEverything { return true }
                // Whatever the other rule asks of an item holds for each of its occurrences, and for "" if it may be
                // absent.
                return theirs.contains {
                    $0.name.utf8.elementsEqual(item.name.utf8) && covers(item.pattern, $0.pattern)
                }
            }
        default: return false
        }
    }
}
