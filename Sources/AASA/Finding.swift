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

    /// How bad it is.
    public var severity: Severity { code.severity }
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

    /// Whether there is an error among the findings.
    public var hasErrors: Bool { findings.contains { $0.severity == .error } }
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
    /// A rule behind one that always matches.
    case deadRule = "WM020"
    /// `$(name)` of a name that is not defined.
    case undefinedVariable = "WM021"
    /// `$(` without `)`.
    case unterminatedVariable = "WM022"
    /// `details` as an object.
    case legacyDetails = "WM030"
    /// A non-empty `applinks.apps`.
    case nonEmptyApps = "WM031"
    /// `paths` beside `components`.
    case ignoredPaths = "WM032"

    /// How bad it is.
    public var severity: Finding.Severity {
        switch self {
        case .invalidJSON, .rootNotObject, .otherEncoding, .duplicateKey, .tooLarge, .noService, .wrongType,
            .malformedAppID, .entryWithoutApps, .deadRule, .undefinedVariable, .unterminatedVariable:
            .error
        case .signed, .nearlyTooLarge, .emptyRules, .repeatedApp, .misspelledKey, .legacyDetails, .nonEmptyApps,
            .ignoredPaths:
            .warning
        case .unregisteredApp, .unknownKey: .notice
        }
    }
}
