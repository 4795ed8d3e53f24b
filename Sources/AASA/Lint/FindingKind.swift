/// A problem that lint can find. All texts of findings are in ``message`` and ``remedy``.
enum FindingKind {
    case unreadable(AssociationError, UnreadableText?)
    case signedPayload
    case duplicateKey(String)
    case tooLarge(Int)
    case nearlyTooLarge(Int)
    case noService
    /// The expected type, the actual type, and how iOS handles the value, as a clause.
    case wrongType(wanted: String, found: String, effect: String)
    /// The text, and the problem as a predicate for "it".
    case malformedAppID(String, reason: String)
    /// The ignored key that was meant to name the apps, or `nil`.
    case entryWithoutApps(unread: String?)
    case emptyRules(key: String)
    /// The app, its first entry, and a URL that the app opens only if iOS also reads the later entries.
    case repeatedApp(String, first: String, example: String?)
    case listedTwice(String, key: String)
    case unregisteredApp(String)
    case unknownKey(String)
    case misspelledKey(String, meant: String)
    /// The earlier rule that matches every URL, such as "rule 1".
    case deadRule(behind: String)
    case undefinedVariable(String)
    case unterminatedVariable
    case legacyDetails
    case nonEmptyApps(isIgnored: Bool)
    /// The missing keys that iOS 9 to 12 need.
    case ignoredPaths(missing: String)
    case notFullyAnalysed
    case ignoredAppID(String)
    case placeholderAppID(String, others: Int)
    /// The earlier rule, such as "rule 1"; its path pattern; whether this rule excludes; and an item in the earlier
    /// rule's query that requires nothing, if that is the cause.
    case contradictedRule(by: String, pattern: String?, excludes: Bool, looseItem: String?)
    case redundantRule(behind: String)
    case fragmentInPath(isInPaths: Bool)
    case unencodedCharacter(String, encoded: String, place: Characters.Place)
    case spaceAtEnd
    case queryInPath(isInPaths: Bool)
    /// The host, if the URL has no scheme, and whether the rule without scheme and host would exclude every page.
    case urlInPath(host: String?, excludesAll: Bool)
    case encodedPattern
    /// The ignored key that was meant to hold the rules, or `nil`.
    case unrestrictedEntry(unread: String?)
    case incompleteForOldSystems(reason: String)
    case pathsDisagree(url: String, paths: String, components: String)
    case pathsSayLess(rules: Int)
    case emptyService(String)
    case privateKey(String)
    case backslash
    case leadingMark(String, part: String)
    case optionalQueryItem(String, excludes: Bool)
    case literalQueryName(String, reason: String)
    case wildcardAfterName(bare: String)
    case shortPath(String)
    case doubleStar(isWhole: Bool, excludes: Bool)
    case malformedNot(effect: String)
    case notInComponents
    case foldedQueryName(String)
    case localeVariable(String, isCaseOpen: Bool)
    case variableInPaths
    case variableName(String)
    case nestedVariable
    case shadowingVariable(String)
    case unusedVariable(String)
    case emptyVariable(String)
    case decodedSlash(url: String)
    /// For each way to get past the exclusion, a URL that does.
    case evadableExclude([Evasion], excluded: String, isInPaths: Bool)
    case overlappingApps(url: String, first: String, second: String, isOrdered: Bool)
    /// The links, and the subject of the message, such as "This rule".
    case sensitiveLink(links: [SensitiveLink], opener: String)
    /// The size, or `nil` if another finding already reports it.
    case headroom(size: Int?, savings: [SizeSaving])
    case lostOnOldSystems(LegacyLoss)
    case opensNothing(remedy: String)
    /// The number of other such exclusions in the entry.
    case idleExclusion(others: Int)
    /// The object that contains the key, and the places where iOS reads the key, or `nil` if iOS reads it nowhere.
    case misplacedKey(String, place: String, home: String?, remedy: String)
    case foreignSyntax(ForeignSyntax)
    case brokenEscape
    case unusualEscape(String, usual: String)
    case bracketedName(String, encoded: String)
    /// The name of the query's first item, whether this item has a value, and whether the rule excludes.
    case queryAsText(item: String, hasValue: Bool, excludes: Bool)
    case byteOrderMark
    case emptyValue
    case narrowQueryItem(String, pattern: String)
    case similarAppIDs(String, other: String)
    case numericPrefix(String)
    /// The number of other such rules.
    case sampleRule(others: Int)
    case defaultsOverPaths
    /// The ignored key, the key that was probably meant, and whether the rule excludes.
    case ruleWithoutPattern(String, meant: String?, excludes: Bool)
    /// The key, the key that was probably meant, and the behaviour of iOS without the section, as a clause.
    case misspelledSection(String, meant: String, effect: String)
    case placeholderTeamID(String, others: Int)
    case patternInDefaults(String)
    case severalPatterns([String], isInPaths: Bool)
    /// A `!` that was meant to exclude, as in other syntaxes.
    case exclamationMark(isInPaths: Bool)
    /// A URL that the rule opens, and the exclusion that matches it, such as "rule 2".
    case openingWildcard(url: String, exclusion: String)
    /// A URL that the exclusion matches, and the earlier rule that opens it, such as "rule 1".
    case overlappedExclusion(url: String, opener: String)
    case appAndClip(String)
    case assetLinks

    var code: FindingCode {
        switch self {
        case .unreadable(.invalidJSON, _): .invalidJSON
        case .unreadable(.rootIsNotAnObject, _): .rootNotObject
        case .unreadable(.otherEncoding, _): .otherEncoding
        case .unreadable(.signed, _), .signedPayload: .signed
        case .unreadable(.damagedSignedFile, _): .invalidJSON
        case .duplicateKey: .duplicateKey
        case .tooLarge: .tooLarge
        case .nearlyTooLarge: .nearlyTooLarge
        case .noService: .noService
        case .wrongType: .wrongType
        case .malformedAppID: .malformedAppID
        case .entryWithoutApps: .entryWithoutApps
        case .emptyRules: .emptyRules
        case .repeatedApp, .listedTwice: .repeatedApp
        case .unregisteredApp: .unregisteredApp
        case .unknownKey: .unknownKey
        case .misspelledKey: .misspelledKey
        case .deadRule: .deadRule
        case .undefinedVariable: .undefinedVariable
        case .unterminatedVariable: .unterminatedVariable
        case .legacyDetails: .legacyDetails
        case .nonEmptyApps: .nonEmptyApps
        case .ignoredPaths: .ignoredPaths
        case .notFullyAnalysed: .notFullyAnalysed
        case .ignoredAppID: .ignoredAppID
        case .placeholderAppID: .placeholderAppID
        case .contradictedRule: .contradictedRule
        case .redundantRule: .redundantRule
        case .fragmentInPath: .fragmentInPath
        case .unencodedCharacter, .spaceAtEnd: .unencodedCharacter
        case .queryInPath: .queryInPath
        case .urlInPath: .urlInPath
        case .encodedPattern: .encodedPattern
        case .unrestrictedEntry: .unrestrictedEntry
        case .incompleteForOldSystems: .incompleteForOldSystems
        case .pathsDisagree: .pathsDisagree
        case .pathsSayLess: .pathsSayLess
        case .emptyService: .emptyService
        case .privateKey: .privateKey
        case .backslash: .backslash
        case .leadingMark: .leadingMark
        case .optionalQueryItem: .optionalQueryItem
        case .literalQueryName: .literalQueryName
        case .wildcardAfterName: .wildcardAfterName
        case .shortPath: .shortPath
        case .doubleStar: .doubleStar
        case .malformedNot, .notInComponents, .exclamationMark: .malformedNot
        case .foldedQueryName: .foldedQueryName
        case .localeVariable: .localeVariable
        case .variableInPaths: .variableInPaths
        case .variableName: .variableName
        case .nestedVariable: .nestedVariable
        case .shadowingVariable: .shadowingVariable
        case .unusedVariable: .unusedVariable
        case .emptyVariable: .emptyVariable
        case .decodedSlash: .decodedSlash
        case .evadableExclude: .evadableExclude
        case .overlappingApps: .overlappingApps
        case .sensitiveLink: .sensitiveLink
        case .headroom: .headroom
        case .lostOnOldSystems: .lostOnOldSystems
        case .opensNothing: .opensNothing
        case .idleExclusion: .idleExclusion
        case .misplacedKey: .misplacedKey
        case .foreignSyntax(let syntax): syntax.isLikely ? .foreignSyntax : .possibleSyntax
        case .brokenEscape: .brokenEscape
        case .unusualEscape: .unusualEscape
        case .bracketedName: .bracketedName
        case .queryAsText: .queryAsText
        case .byteOrderMark: .byteOrderMark
        case .emptyValue: .emptyValue
        case .narrowQueryItem: .narrowQueryItem
        case .similarAppIDs: .similarAppIDs
        case .numericPrefix: .numericPrefix
        case .sampleRule: .sampleRule
        case .defaultsOverPaths: .defaultsOverPaths
        case .ruleWithoutPattern: .ruleWithoutPattern
        case .misspelledSection: .misspelledSection
        case .placeholderTeamID: .placeholderTeamID
        case .patternInDefaults: .patternInDefaults
        case .severalPatterns: .severalPatterns
        case .openingWildcard: .openingWildcard
        case .overlappedExclusion: .overlappedExclusion
        case .appAndClip: .appAndClip
        case .assetLinks: .assetLinks
        }
    }
}
