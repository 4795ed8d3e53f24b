public import StrictJSON

/// One thing that lint has to say about a file.
public struct Finding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Apple's systems refuse the file, or part of it does nothing or something else than it says. Not published.
        case error
        /// It works, but probably not as meant, or not everywhere.
        case warning
        /// Worth knowing.
        case notice

        /// An error is greater than a warning, a warning greater than a notice.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .error: 2
            case .warning: 1
            case .notice: 0
            }
        }
    }

    /// Which kind of finding; each has a page in `docs/findings/`.
    public let code: FindingCode
    /// Where: a pointer into the file; the root for what concerns the whole.
    public let pointer: JSONPointer
    /// Where in the text that was given; nil if an association was, not a text.
    public let position: JSONPosition?
    /// What is wrong, in words.
    public let message: String
    /// What to do, in words.
    public let remedy: String
    /// How a machine can mend it; nil where only a person can.
    public let fix: Fix?

    /// How bad it is.
    public var severity: Severity { code.severity }

    /// The finding without its fix.
    var withoutFix: Finding {
        Finding(code: code, pointer: pointer, position: position, message: message, remedy: remedy, fix: nil)
    }
}

/// What lint says of a file.
public struct LintReport: Hashable, Sendable {
    /// So many findings are kept.
    public static let limit = 1_000

    /// The file's size in bytes.
    public let size: Int
    /// The findings, in the order of the file; what concerns the whole file comes first.
    public let findings: [Finding]
    /// Whether there were more findings than ``limit``.
    public let isTruncated: Bool
}

extension LintReport {
    /// What lint says of a file that cannot be read.
    public init(of error: AssociationError, size: Int) { self = Linter.report(of: error, size: size) }
}

/// The kinds of findings. Codes are stable: a number is never used for anything else.
public enum FindingCode: String, Hashable, Sendable, CaseIterable {
    /// Not JSON.
    case invalidJSON = "WM001"
    /// The root is no object.
    case rootNotObject = "WM002"
    /// JSON in UTF-16 or UTF-32.
    case otherEncoding = "WM003"
    /// A CMS-signed file.
    case signed = "WM004"
    /// A name twice in one object.
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
    /// Something that is no app ID where one belongs.
    case malformedAppID = "WM011"
    /// An entry for no app.
    case entryWithoutApps = "WM012"
    /// An entry with an empty list of rules.
    case emptyRules = "WM013"
    /// An app in several places, of which the first counts.
    case repeatedApp = "WM014"
    /// An app that is not in the registry.
    case unregisteredApp = "WM015"
    /// A key that Apple does not know.
    case unknownKey = "WM016"
    /// A key that Apple does not know and that resembles one.
    case misspelledKey = "WM017"
    /// An `appID` beside an `appIDs` that does not name it.
    case ignoredAppID = "WM018"
    /// An app ID copied from an example.
    case placeholderAppID = "WM019"
    /// A rule behind one that always matches and decides the same.
    case deadRule = "WM020"
    /// `$(name)` of a name that is not defined.
    case undefinedVariable = "WM021"
    /// `$(` without `)`.
    case unterminatedVariable = "WM022"
    /// A rule behind one that matches all its URLs and decides otherwise.
    case contradictedRule = "WM023"
    /// A rule behind one that matches all its URLs and decides the same.
    case redundantRule = "WM024"
    /// A fragment inside a path pattern.
    case fragmentInPath = "WM025"
    /// A character that URLs have only in percent-encoded form.
    case unencodedCharacter = "WM026"
    /// A query inside a path pattern.
    case queryInPath = "WM027"
    /// Scheme and host inside a path pattern.
    case urlInPath = "WM028"
    /// A percent-encoded pattern that is compared with decoded text.
    case encodedPattern = "WM029"
    /// `details` as an object.
    case legacyDetails = "WM030"
    /// A non-empty `applinks.apps`.
    case nonEmptyApps = "WM031"
    /// `paths` beside `components`.
    case ignoredPaths = "WM032"
    /// An entry with neither `components` nor `paths`.
    case unrestrictedEntry = "WM033"
    /// A file for iOS 9 to 12 that these systems refuse.
    case incompleteForOldSystems = "WM034"
    /// `paths` that open or keep other URLs than `components`.
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
    /// A query item that may be anything, even absent.
    case optionalQueryItem = "WM042"
    /// A query item's name with characters that mean nothing there.
    case literalQueryName = "WM043"
    /// `?*` behind a name, which matches the bare name too.
    case wildcardAfterName = "WM044"
    /// A path pattern of one character, or none.
    case shortPath = "WM045"
    /// `**`.
    case doubleStar = "WM046"
    /// `NOT` written otherwise than Apple documents.
    case malformedNot = "WM047"
    /// A query item's name under `caseSensitive: false`.
    case foldedQueryName = "WM048"
    /// `$(region)` or `$(lang)`.
    case localeVariable = "WM049"
    /// A variable in `paths`.
    case variableInPaths = "WM050"
    /// A variable's name that cannot be used.
    case variableName = "WM051"
    /// A variable inside a variable's value.
    case nestedVariable = "WM052"
    /// A variable with the name of one of Apple's.
    case shadowingVariable = "WM053"
    /// A variable that no pattern uses.
    case unusedVariable = "WM054"
    /// A variable without values.
    case emptyVariable = "WM055"
    /// `%2F` counts as a slash.
    case decodedSlash = "WM056"
    /// An `exclude` that another spelling of the URL slips past.
    case evadableExclude = "WM057"
    /// Apps of two entries that open the same URL.
    case overlappingApps = "WM058"
    /// A rule that opens a link that usually has to stay on the web.
    case sensitiveLink = "WM059"
    /// What would make a large file smaller.
    case headroom = "WM060"
    /// A draft's rule that iOS 9 to 12 get otherwise than it is meant.
    case lostOnOldSystems = "WM061"
    /// An entry all of whose rules exclude.
    case opensNothing = "WM062"
    /// An `exclude` of URLs that no later rule opens.
    case idleExclusion = "WM063"
    /// A key of Apple's in an object where it is not read.
    case misplacedKey = "WM064"
    /// Another language's wildcards or placeholders.
    case foreignSyntax = "WM065"
    /// What may be another language's wildcards or placeholders.
    case doubtfulSyntax = "WM066"
    /// A `%` without two hexadecimal digits.
    case brokenEscape = "WM067"
    /// A percent-encoded character written otherwise than URL parsers do.
    case unusualEscape = "WM068"
    /// A query item's name with brackets, which URLs have encoded or not.
    case bracketedName = "WM069"
    /// A query of items as one text.
    case queryAsText = "WM070"
    /// A byte order mark.
    case byteOrderMark = "WM071"
    /// A variable's value that is empty.
    case emptyValue = "WM072"
    /// A query item that matches less than it seems to.
    case narrowQueryItem = "WM073"
    /// Two app IDs that differ in one character.
    case similarAppIDs = "WM074"
    /// An app ID that begins with a number.
    case numericPrefix = "WM075"
    /// A rule of Apple's example.
    case sampleRule = "WM076"
    /// `defaults` that concern `paths`.
    case defaultsOverPaths = "WM077"
    /// A rule whose keys are all ignored, so it matches every URL.
    case ruleWithoutPattern = "WM078"
    /// A misspelled key that holds a whole section: a service, `details`, or the only list of rules of an entry.
    case misspelledSection = "WM079"
    /// A placeholder in the place of a Team ID, of the right length.
    case placeholderTeamID = "WM080"
    /// A pattern in `defaults`.
    case patternInDefaults = "WM081"
    /// Several patterns in one string.
    case severalPatterns = "WM082"
    /// A wildcard of fixed length that opens URLs of a later exclusion.
    case openingWildcard = "WM083"
    /// An exclusion of which an earlier rule opens a part.
    case overlappedExclusion = "WM084"
    /// One ID for an app and an App Clip.
    case appAndClip = "WM085"
    /// Android's `assetlinks.json`.
    case assetLinks = "WM086"

    /// How bad it is. An error is certain: guesses, and what Apple has neither documented nor shown, are warnings.
    public var severity: Finding.Severity {
        switch self {
        case .invalidJSON, .rootNotObject, .otherEncoding, .duplicateKey, .tooLarge, .noService, .wrongType,
            .malformedAppID, .entryWithoutApps, .ignoredAppID, .contradictedRule, .undefinedVariable,
            .unterminatedVariable, .fragmentInPath, .backslash, .nestedVariable, .ruleWithoutPattern,
            .misspelledSection, .assetLinks:
            .error
        // Whoever relies on lint must learn that it has not seen everything; yet the file may be right.
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
            .lostOnOldSystems, .idleExclusion, .doubtfulSyntax, .bracketedName, .queryAsText, .emptyValue,
            .narrowQueryItem, .similarAppIDs, .sampleRule, .overlappedExclusion:
            .notice
        }
    }

    /// The address of the finding's page on any Waymark, whose API and dashboard serve it.
    public var page: String { "/finding?code=\(rawValue)" }
}
