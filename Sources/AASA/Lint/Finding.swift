public import StrictJSON

/// A problem or a hint that lint reports about a file.
public struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
        /// iOS rejects the file, or ignores part of it, or interprets it in an unexpected way. Such a file is not
        /// published.
        case error
        /// The file works, but probably not as intended, or not on every system.
        case warning
        /// Useful information.
        case notice

        /// Orders severities: notice, warning, error.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .error: 2
            case .warning: 1
            case .notice: 0
            }
        }
    }

    /// The kind of finding. Each has a page in `docs/findings/`.
    public let code: FindingCode
    /// The place in the file. Findings about the whole file refer to the root.
    public let pointer: JSONPointer
    /// The position in the checked text. `nil` for findings without a position, such as those about the root's type or
    /// an unreadable file.
    public let position: JSONPosition?
    /// The problem, as a sentence for people.
    public let message: String
    /// The remedy, as a sentence for people.
    public let remedy: String
    /// An automatic fix, or `nil` if only a person can fix the problem.
    public let fix: Fix?

    /// The severity.
    public var severity: Severity { code.severity }

    /// The finding without its fix.
    var withoutFix: Finding {
        Finding(code: code, pointer: pointer, position: position, message: message, remedy: remedy, fix: nil)
    }
}

/// The findings of lint on a file.
public struct LintReport: Hashable, Sendable {
    /// The maximum number of findings in a report.
    public static let limit = 1_000

    /// The file's size in bytes.
    public let size: Int
    /// The findings, in the order of the file. Those about the whole file come first.
    public let findings: [Finding]
    /// Whether there were more findings than ``limit``.
    public let isTruncated: Bool
}

extension LintReport {
    /// Creates the report for a file that cannot be read.
    public init(of error: AssociationError, size: Int) { self = Linter.report(of: error, size: size) }
}

/// The kinds of findings. Codes are stable: a number is never reused.
public enum FindingCode: String, Hashable, Sendable, CaseIterable {
    /// Not JSON.
    case invalidJSON = "WM001"
    /// The root is not an object.
    case rootNotObject = "WM002"
    /// JSON in UTF-16 or UTF-32.
    case otherEncoding = "WM003"
    /// A CMS-signed file.
    case signed = "WM004"
    /// A key that appears twice in one object.
    case duplicateKey = "WM005"
    /// More than 131,072 bytes.
    case tooLarge = "WM006"
    /// More than 128,000 bytes.
    case nearlyTooLarge = "WM007"
    /// No service at all.
    case noService = "WM008"
    /// The analysis of rules stopped at its budget.
    case notFullyAnalysed = "WM009"
    /// A value of the wrong type.
    case wrongType = "WM010"
    /// An invalid app ID.
    case malformedAppID = "WM011"
    /// An entry for no app.
    case entryWithoutApps = "WM012"
    /// An entry with an empty list of rules.
    case emptyRules = "WM013"
    /// An app that is listed more than once; only the first entry counts.
    case repeatedApp = "WM014"
    /// An app that is not in the registry.
    case unregisteredApp = "WM015"
    /// An unknown key.
    case unknownKey = "WM016"
    /// An unknown key that resembles a known one.
    case misspelledKey = "WM017"
    /// An `appID` next to an `appIDs` that does not contain it.
    case ignoredAppID = "WM018"
    /// An app ID copied from an example.
    case placeholderAppID = "WM019"
    /// A rule after a rule that matches every URL, with the same result.
    case deadRule = "WM020"
    /// `$(name)` with an undefined name.
    case undefinedVariable = "WM021"
    /// `$(` without `)`.
    case unterminatedVariable = "WM022"
    /// A rule after a rule that matches all its URLs, with the opposite result.
    case contradictedRule = "WM023"
    /// A rule after a rule that matches all its URLs, with the same result.
    case redundantRule = "WM024"
    /// A fragment inside a path pattern.
    case fragmentInPath = "WM025"
    /// A character that URLs contain only percent-encoded.
    case unencodedCharacter = "WM026"
    /// A query inside a path pattern.
    case queryInPath = "WM027"
    /// Scheme and host inside a path pattern.
    case urlInPath = "WM028"
    /// A percent-encoded pattern that is compared with decoded URLs.
    case encodedPattern = "WM029"
    /// `details` as an object.
    case legacyDetails = "WM030"
    /// A non-empty `applinks.apps`.
    case nonEmptyApps = "WM031"
    /// `paths` next to `components`.
    case ignoredPaths = "WM032"
    /// An entry with neither `components` nor `paths`.
    case unrestrictedEntry = "WM033"
    /// A file for iOS 9 to 12 that these systems reject.
    case incompleteForOldSystems = "WM034"
    /// `paths` that open different URLs than `components`.
    case pathsDisagree = "WM035"
    /// `components` that `paths` cannot express.
    case pathsSayLess = "WM036"
    /// A service without any app.
    case emptyService = "WM037"
    /// A key that only Apple's own files use.
    case privateKey = "WM038"
    /// A backslash in a pattern.
    case backslash = "WM040"
    /// A `?` or `#` before a query or fragment pattern.
    case leadingMark = "WM041"
    /// A query item that can have any value or be missing.
    case optionalQueryItem = "WM042"
    /// A query item's name with wildcards or other characters that have no effect in names.
    case literalQueryName = "WM043"
    /// `?*` after a name, which also matches the name without anything after it.
    case wildcardAfterName = "WM044"
    /// A path pattern with at most one character.
    case shortPath = "WM045"
    /// `**`.
    case doubleStar = "WM046"
    /// `NOT` not written as Apple documents.
    case malformedNot = "WM047"
    /// A query item's name with `caseSensitive: false`.
    case foldedQueryName = "WM048"
    /// `$(region)` or `$(lang)`.
    case localeVariable = "WM049"
    /// A variable in `paths`.
    case variableInPaths = "WM050"
    /// A variable name that Apple does not allow.
    case variableName = "WM051"
    /// A variable inside a variable's value.
    case nestedVariable = "WM052"
    /// A variable with the name of a predefined variable.
    case shadowingVariable = "WM053"
    /// A variable that no pattern uses.
    case unusedVariable = "WM054"
    /// A variable without values.
    case emptyVariable = "WM055"
    /// `%2F` counts as a slash.
    case decodedSlash = "WM056"
    /// An `exclude` that does not match another spelling of the same URL.
    case evadableExclude = "WM057"
    /// Apps in two entries that open the same URL.
    case overlappingApps = "WM058"
    /// A rule that opens a link that usually belongs in the browser.
    case sensitiveLink = "WM059"
    /// A large file. The finding lists ways to make it smaller.
    case headroom = "WM060"
    /// A rule of a draft that has only part of its effect on iOS 9 to 12.
    case lostOnOldSystems = "WM061"
    /// An entry whose rules are all exclusions.
    case opensNothing = "WM062"
    /// An `exclude` of URLs that no later rule opens.
    case idleExclusion = "WM063"
    /// One of Apple's keys in an object where iOS ignores it.
    case misplacedKey = "WM064"
    /// Wildcards or placeholders of another syntax.
    case foreignSyntax = "WM065"
    /// Possible wildcards or placeholders of another syntax.
    case possibleSyntax = "WM066"
    /// A `%` without two hexadecimal digits.
    case brokenEscape = "WM067"
    /// A percent-encoded character that URL parsers write differently.
    case unusualEscape = "WM068"
    /// A query item's name with brackets, which some URLs encode.
    case bracketedName = "WM069"
    /// A query pattern with items, as one string.
    case queryAsText = "WM070"
    /// A byte order mark.
    case byteOrderMark = "WM071"
    /// An empty value of a variable.
    case emptyValue = "WM072"
    /// A query item that matches less than it seems to.
    case narrowQueryItem = "WM073"
    /// Two app IDs that differ in one character.
    case similarAppIDs = "WM074"
    /// An app ID that begins with a number.
    case numericPrefix = "WM075"
    /// A rule of Apple's example.
    case sampleRule = "WM076"
    /// `defaults` that may apply to `paths`.
    case defaultsOverPaths = "WM077"
    /// A rule whose keys are all ignored, so it matches every URL.
    case ruleWithoutPattern = "WM078"
    /// A misspelled key of a whole section: a service, `details`, or an entry's only list of rules.
    case misspelledSection = "WM079"
    /// A placeholder for a Team ID, with the correct length.
    case placeholderTeamID = "WM080"
    /// A pattern in `defaults`.
    case patternInDefaults = "WM081"
    /// Several patterns in one string.
    case severalPatterns = "WM082"
    /// A wildcard of fixed length that opens URLs of a later exclusion.
    case openingWildcard = "WM083"
    /// An exclusion of URLs, some of which an earlier rule opens.
    case overlappedExclusion = "WM084"
    /// One ID for an app and an App Clip.
    case appAndClip = "WM085"
    /// Android's `assetlinks.json`.
    case assetLinks = "WM086"

    /// The severity. Errors are certain. Findings that depend on guesses or undocumented behaviour are warnings.
    public var severity: Finding.Severity {
        switch self {
        case .invalidJSON, .rootNotObject, .otherEncoding, .duplicateKey, .tooLarge, .noService, .wrongType,
            .malformedAppID, .entryWithoutApps, .ignoredAppID, .contradictedRule, .undefinedVariable,
            .unterminatedVariable, .fragmentInPath, .backslash, .nestedVariable, .ruleWithoutPattern,
            .misspelledSection, .assetLinks:
            .error
        // People must know that lint has not checked everything, but the file may be right.
        case .notFullyAnalysed: .warning
        case .signed, .nearlyTooLarge, .emptyRules, .repeatedApp, .misspelledKey, .legacyDetails, .nonEmptyApps,
            .ignoredPaths, .unencodedCharacter, .queryInPath, .urlInPath, .encodedPattern, .unrestrictedEntry,
            .incompleteForOldSystems, .pathsDisagree, .privateKey, .leadingMark, .optionalQueryItem, .literalQueryName,
            .wildcardAfterName, .shortPath, .doubleStar, .malformedNot, .foldedQueryName, .localeVariable,
            .variableInPaths, .variableName, .shadowingVariable, .emptyVariable, .decodedSlash,
            .opensNothing, .misplacedKey, .foreignSyntax, .brokenEscape, .unusualEscape, .byteOrderMark,
            .numericPrefix, .defaultsOverPaths, .evadableExclude, .placeholderTeamID, .patternInDefaults,
            .severalPatterns, .openingWildcard, .appAndClip:
            .warning
        case .unregisteredApp, .unknownKey, .placeholderAppID, .deadRule, .redundantRule, .pathsSayLess, .emptyService,
            .unusedVariable, .overlappingApps, .sensitiveLink, .headroom,
            .lostOnOldSystems, .idleExclusion, .possibleSyntax, .bracketedName, .queryAsText, .emptyValue,
            .narrowQueryItem, .similarAppIDs, .sampleRule, .overlappedExclusion:
            .notice
        }
    }

    /// The path of the finding's page on any Waymark server.
    public var page: String { "/finding?code=\(rawValue)" }
}
