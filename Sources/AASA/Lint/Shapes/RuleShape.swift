import StrictJSON

/// A rule in the form that lint uses: as the latest systems read it, with `defaults` merged in.
final class RuleShape {
    enum Query {
        case any
        case whole(PatternShape)
        case items([(name: String, pattern: PatternShape)])
    }

    let pointer: JSONPointer
    let excludes: Bool
    /// Whether URLs are percent-decoded before they are compared.
    let isDecoded: Bool
    /// Whether letter case is ignored.
    let isFolded: Bool
    /// The path pattern, or `nil` for any path.
    let path: PatternShape?
    let query: Query
    /// The fragment pattern, or `nil` for any fragment.
    let fragment: PatternShape?
    /// Whether it is an element of `paths`.
    let isPath: Bool
    /// Whether the rule's matches are documented or observed. False for patterns with only reported behaviour, such as
    /// `**` as a whole path, or a path with at most one character.
    let isCertain: Bool
    /// Whether every path matches.
    let isPathAny: Bool
    /// Whether every query matches.
    let isQueryAny: Bool
    /// Whether one of its patterns can never match.
    let isDefective: Bool
    /// The number of steps of all patterns. The cost of comparing two rules grows with the product of their sizes.
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
        // "Every URL's path begins with a slash once it is normalised", so `/*` matches every path.
        isPathAny = path.map { $0.matchesEverything || $0.isSlashAndAnything } ?? true
        // A missing query item is compared as empty, so `*` matches it too.
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

    /// All patterns of the rule.
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
    /// Whether this rule's path may cover the other's. A quick test that most pairs fail.
    func pathMayCover(_ other: RuleShape) -> Bool {
        if isPathAny { return true }
        guard let path, let theirs = other.path else { return path == nil }
        return path.mayCover(theirs)
    }

    /// Whether this rule may cover the other. Tests all parts, but does not compare them step by step.
    func mayCover(_ other: RuleShape) -> Bool { covers(other) { $0.mayCover($1) } }

    /// Whether this rule matches every URL that `other` matches. As in ``PatternShape/covers(_:)``, false can also mean
    /// that the answer is unknown.
    func covers(_ other: RuleShape) -> Bool { covers(other) { $0.covers($1) } }

    /// Same as ``covers(_:)``, for URLs without percent-encoding. These have the same text encoded and decoded.
    func coversPlain(_ other: RuleShape) -> Bool { covers(other, isPlain: true) { $0.covers($1) } }

    private func covers(
        _ other: RuleShape, isPlain: Bool = false, by covers: (PatternShape, PatternShape) -> Bool
    ) -> Bool {
        func part(_ mine: PatternShape?, _ theirs: PatternShape?) -> Bool {
            guard let mine else { return true }
            return theirs.map { covers(mine, $0) } ?? false
        }
        // Decoded and encoded text cannot be compared. So this part covers the other only if it matches any text.
        let isComparable = isPlain || isDecoded == other.isDecoded
        return (isPathAny || (isComparable && part(path, other.path)))
            && (fragment?.matchesEverything ?? true || (isComparable && part(fragment, other.fragment)))
            && (isQueryAny || (isComparable && coversQuery(of: other, by: covers)))
    }

    private func coversQuery(of other: RuleShape, by covers: (PatternShape, PatternShape) -> Bool) -> Bool {
        switch (query, other.query) {
        case (.whole(let mine), .whole(let theirs)): return covers(mine, theirs)
        case (.items(let mine), .items(let theirs)):
            // It is unknown whether `caseSensitive: false` also applies to names, so both rules must have the same
            // value of this flag.
            guard isFolded == other.isFolded || !isFolded else { return false }
            return mine.allSatisfy { item in
                if item.pattern.matchesEverything { return true }
                // The other rule's pattern applies to each occurrence of the item, and to "" if the item may be
                // missing.
                return theirs.contains {
                    $0.name.utf8.elementsEqual(item.name.utf8) && covers(item.pattern, $0.pattern)
                }
            }
        default: return false
        }
    }
}
