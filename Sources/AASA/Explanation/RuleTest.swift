import StrictJSON

/// A rule, as a ``PatternReading`` reads it. Its parts are compared separately, so that each result can be
/// explained. ``CompiledRule`` is the faster form for decisions.
struct RuleTest: Sendable {
    enum Query {
        case any
        case whole(PartTest)
        case items([Item])
    }

    struct Item {
        let name: String
        let test: PartTest
        /// The name as a pattern, if this reading treats names as patterns.
        let namePattern: ResolvedPattern?
    }

    let pointer: JSONPointer
    let excludes: Bool
    let comment: String?
    let form: TextForm
    let path: PartTest?
    /// Whether the URL's path is compared as written, without normalised slashes.
    let isPathAsWritten: Bool
    let fragment: PartTest?
    let query: Query
    /// The open rules that can affect the rule.
    let openRules: Set<OpenRule>
    /// Whether the rule matches no URL in this reading.
    let isVoid: Bool

    init(_ reading: RuleSource, _ patterns: PatternReading, os system: SystemVersion) {
        var met: Set<OpenRule> = []
        let component = reading.component(patterns, os: system, &met)
        pointer = reading.pointer
        excludes = component.flag(.exclude, absent: false, patterns, &met)
        comment = component.value(.comment)?.string
        // A system ignores keys that a later system introduced.
        let caseSensitive = system < .ios13point5 || component.flag(.caseSensitive, absent: true, patterns, &met)
        let percentEncoded = system < .ios14 || component.flag(.percentEncoded, absent: true, patterns, &met)
        let form = TextForm(isFolded: !caseSensitive, isDecoded: !percentEncoded)
        self.form = form
        var readsVariables = patterns
        if reading.isPath, patterns.variables != nil, VariableTable.holdsVariable(Array((component.path ?? "").utf8)),
            patterns.departs(from: .variablesInPaths, &met)
        {
            readsVariables = PatternReading(departure: patterns.departure, variables: nil)
        }
        // Current systems ignore outer slashes in "paths" too [REP]; for iOS 9 to 12, this is [UNK].
        let asWritten =
            reading.isPath
            && patterns.departs(from: system == .ios9 ? .trailingSlashBefore13 : .slashesInPaths, &met)
        isPathAsWritten = asWritten
        path = component.path.map { PartTest(path: $0, asWritten: asWritten, form, readsVariables, &met) }
        fragment = component.fragment.map { PartTest(beyondPath: $0, form, patterns, &met) }
        switch component.query {
        case .any: query = .any
        case .whole(let text): query = .whole(PartTest(beyondPath: text, form, patterns, &met))
        case .items(let items):
            query = .items(
                items.map { item in
                    // "Names are literals: no wildcards, no variables" [REP].
                    let isOdd = item.name.utf8.contains { "*?$".utf8.contains($0) }
                    let isPattern = isOdd && patterns.departs(from: .queryItemNamePattern, &met)
                    let name = Array(item.name.utf8)
                    return Item(
                        name: item.name, test: PartTest(item.pattern, form, patterns, &met),
                        namePattern: isPattern ? ResolvedPattern(name, isFolded: false, reading: patterns) : nil)
                })
            if form.isFolded { met.insert(.queryItemNameCase) }
        }
        isVoid = component.hasWrongType && patterns.departs(from: .wrongType, &met)
        openRules = met
    }
}

/// The pattern for one part of a rule.
struct PartTest: Sendable {
    /// The pattern as written in the file.
    let written: String
    /// The pattern with added slashes, in its original letter case.
    let normalized: [UInt8]
    /// The pattern in its form for comparison.
    let compared: [UInt8]
    let pattern: ResolvedPattern

    init(_ text: String, _ form: TextForm, _ reading: PatternReading, _ met: inout Set<OpenRule>) {
        self.init(written: text, compared: Array(text.utf8), form, reading, &met)
    }

    init(path: String, asWritten: Bool, _ form: TextForm, _ reading: PatternReading, _ met: inout Set<OpenRule>) {
        let bytes = Array(path.utf8)
        self.init(
            written: path, compared: asWritten ? bytes : Self.normalized(bytes, reading, &met), form, reading, &met)
    }

    /// The pattern for a whole query or a fragment.
    init(beyondPath text: String, _ form: TextForm, _ reading: PatternReading, _ met: inout Set<OpenRule>) {
        self.init(written: text, compared: reading.slashed(Array(text.utf8), &met), form, reading, &met)
    }

    private init(
        written: String, compared: [UInt8], _ form: TextForm, _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) {
        self.written = written
        normalized = compared
        self.compared = form.isFolded ? reading.folded(compared, &met) : compared
        pattern = ResolvedPattern(compared, isFolded: form.isFolded, reading: reading)
        met.formUnion(pattern.openRules)
        if form.isDecoded, compared.contains(where: { $0 >= 0x80 }) { met.insert(.canonicalEquivalence) }
        if form.isDecoded, pattern.openRules.contains(.oneMatchesSlash) { met.insert(.oneIsScalar) }
    }

    private static func normalized(
        _ path: [UInt8], _ reading: PatternReading, _ met: inout Set<OpenRule>
    ) -> [UInt8] {
        let (star, slash) = (UInt8(ascii: "*"), UInt8(ascii: "/"))
        if path.isEmpty, reading.departs(from: .emptyPath, &met) { return [star] }
        if path.count > 1, path.allSatisfy({ $0 == star }), reading.departs(from: .doubleStarPath, &met) {
            return [star]
        }
        let isOneCharacter = path.count(where: { $0 & 0xC0 != 0x80 }) == 1 && path != [star] && path != [slash]
        if isOneCharacter, reading.departs(from: .oneCharacterPath, &met) { return [slash] + path + [slash] }
        return PathNormalization.normalized(path)
    }
}
