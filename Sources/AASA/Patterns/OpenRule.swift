/// A rule of matching that Apple has neither documented nor `swcutil` shown, and that could also be otherwise.
///
/// An outcome rests on such a rule when the other reading, all else being equal, gives another outcome. Where the rule is
/// obeyed when a file or URL is read for explaining, `departs(from:)` asks which reading is meant; the few rules about
/// the order and the names of apps are looked at in ``Explainer`` itself.
enum OpenRule: String, Hashable, Sendable, CaseIterable {
    case appIDPrefix
    case appIDPrefixCase
    case appIDTypes
    case appsBesideDetails
    case appsWithoutDetails
    case asciiCaseOnly
    case backslash
    case bareDollar
    case brackets
    case canonicalEquivalence
    case customVariableShadows
    case defaultsInPaths
    case dotSegments
    case doubleStarPath
    case emptyPath
    case emptyPaths
    case entriesOfWrongType
    case exclusionScope
    case firstEquals
    case firstFittingValue
    case flagCoercion
    case fullCaseFolding
    case invalidUTF8
    case keyCase
    case legacyDetailsOrder
    case manyWildcards
    case notPrefix
    case notIsCaseSensitive
    case numberValues
    case oneCharacterPath
    case oneIsScalar
    case oneMatchesSlash
    case pathParameters
    case patternsOfWrongType
    case plusIsNoSpace
    case queryItemNameCase
    case queryItemNameEncoding
    case queryItemNamePattern
    case querySemicolon
    case regionAndLanguageCase
    case repairedURL
    case repeatedApp
    case repeatedVariable
    case singlePattern
    case slashesBeyondPath
    case slashesInPaths
    case splitBeforeDecoding
    case starsInURL
    case substitutedUTF8
    case trailingSlashBefore13
    case undefinedVariable
    case unrestrictedEntry
    case variableValues
    case variablesInPaths
    case wrongType
}

extension OpenRule {
    /// How far the rule as it is followed here is to be trusted.
    var certainty: Certainty {
        switch self {
        case .oneMatchesSlash, .dotSegments, .pathParameters, .plusIsNoSpace, .querySemicolon, .repairedURL,
            .emptyPaths, .firstEquals, .firstFittingValue, .keyCase, .repeatedVariable, .slashesBeyondPath,
            .slashesInPaths, .splitBeforeDecoding:
            .inferred
        case .invalidUTF8, .substitutedUTF8, .legacyDetailsOrder, .trailingSlashBefore13: .unknown
        default: .reported
        }
    }

    /// The rule as it is followed here, in a sentence for people.
    var sentence: String {
        switch self {
        case .appIDPrefix: "An app ID counts even if its prefix has not ten characters, though no app can have it."
        case .appIDPrefixCase: "The app ID's prefix is taken in capital letters."
        case .appIDTypes:
            "Only texts are app IDs, in the list \"appIDs\" or alone in \"appID\"; what else stands there is skipped."
        case .appsBesideDetails: "With \"details\" of any type, \"applinks.apps\" are ignored."
        case .appsWithoutDetails: "Without \"details\", the apps of \"applinks.apps\" open every URL."
        case .asciiCaseOnly: "With \"caseSensitive\": false, the case of letters beyond A to Z is ignored as well."
        case .backslash: "A backslash in a pattern stands for any one character and skips the next one."
        case .bareDollar: "A dollar sign without ( behind it stands for itself."
        case .brackets: "Brackets and braces in a pattern stand for themselves."
        case .canonicalEquivalence: "A letter with an accent differs from the letter followed by the accent."
        case .customVariableShadows: "A variable of the file hides the predefined one of the same name."
        case .defaultsInPaths: "\"defaults\" apply to \"paths\" too."
        case .dotSegments: "The segments . and .. of a URL's path are compared as they are."
        case .doubleStarPath: "The path pattern ** does not match the root."
        case .emptyPath: "An empty path pattern matches the root only."
        case .emptyPaths: "An empty \"paths\" opens no URL."
        case .entriesOfWrongType: "Items of \"details\" that are no objects are skipped."
        case .exclusionScope: "An exclusion counts for the apps of its own entry only."
        case .firstEquals: "The value of a query item begins behind its first = and may hold more of them."
        case .firstFittingValue: "Every value of a variable is tried, not only the first that fits."
        case .flagCoercion:
            "A flag that is neither true nor false is read as a number or as text; null counts as false."
        case .fullCaseFolding: "With \"caseSensitive\": false, one letter equals one letter: ß is not ss."
        case .invalidUTF8: "What does not decode to UTF-8 is compared as written."
        case .keyCase: "Keys count in Apple's letter case only."
        case .legacyDetailsOrder: "Apps of the old form of \"details\" come in the order of their app IDs."
        case .manyWildcards: "A pattern with more than 64 wildcards and variables is compared like any other."
        case .notPrefix: "\"NOT\" in any case and exactly one space mark an excluding path."
        case .notIsCaseSensitive: "\"NOT\" paths are case-sensitive whatever \"defaults\" say."
        case .numberValues: "Numbers among a variable's values do not count as text."
        case .oneCharacterPath: "A path pattern of one character gets no slash before or behind it."
        case .oneIsScalar: "? stands for one character, not for one byte, where URLs are decoded."
        case .oneMatchesSlash: "? matches a slash too, even the one added to the end of the URL's path."
        case .pathParameters: "A semicolon in a URL's path is an ordinary character."
        case .patternsOfWrongType: "\"components\" or \"paths\" that is no list is as if it were absent."
        case .plusIsNoSpace: "A plus sign in a query is not a space."
        case .queryItemNameCase: "Names of query items are compared exactly, even with \"caseSensitive\": false."
        case .queryItemNameEncoding: "Names of query items are compared as written unless \"percentEncoded\" is false."
        case .queryItemNamePattern: "Names of query items are no patterns."
        case .querySemicolon: "A semicolon does not separate query items."
        case .regionAndLanguageCase: "$(region) and $(lang) match capital and small letters alike."
        case .repairedURL: "Characters that a URL cannot have are percent-encoded before it is compared."
        case .repeatedApp: "Of an app's several entries only the first counts."
        case .repeatedVariable: "A variable that stands twice in a pattern may have two values."
        case .singlePattern: "A single component or path in the place of a list does not count."
        case .slashesBeyondPath: "Slashes at the ends of a query or a fragment count."
        case .slashesInPaths: "Slashes at the ends do not count in \"paths\" either."
        case .splitBeforeDecoding: "A query is split into its items before it is decoded."
        case .starsInURL: "A star at the end of a URL's path keeps the slash away that paths are given there."
        case .substitutedUTF8: "Bytes that are no UTF-8 are not replaced by a substitute."
        case .trailingSlashBefore13: "iOS 9 to 12 ignore a slash at the end of a path."
        case .undefinedVariable: "A pattern with a variable that is not defined, or without its ), never matches."
        case .unrestrictedEntry: "An entry with neither \"components\" nor \"paths\" opens every URL."
        case .variableValues: "A variable's values that are no plain strings are skipped; one string stands for a list."
        case .variablesInPaths: "Variables stand for their values in \"paths\" too."
        case .wrongType: "A pattern or rule of the wrong type constrains nothing."
        }
    }
}
