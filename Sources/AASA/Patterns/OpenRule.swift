/// A rule that Apple does not document and that tests with `swcutil` do not show. iOS may behave in either of two ways.
///
/// Waymark uses one of them, the usual reading. An outcome depends on an open rule if the alternative reading of this
/// rule alone changes the outcome. Code that reads a file or a URL for an explanation calls
/// ``PatternReading/departs(from:_:)`` to choose the reading. ``Explainer`` itself handles the few open rules about the
/// order and the names of apps.
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
    /// The certainty of the usual reading.
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

    /// The usual reading, as a sentence for people.
    var sentence: String {
        switch self {
        case .appIDPrefix: "An app ID counts even if its prefix does not have ten characters, although no app has it."
        case .appIDPrefixCase: "The prefix of an app ID is read in capital letters."
        case .appIDTypes:
            "Only strings count as app IDs: a list of them in \"appIDs\", a single one in \"appID\"."
        case .appsBesideDetails: "If there is \"details\", of any type, \"applinks.apps\" is ignored."
        case .appsWithoutDetails: "Without \"details\", the apps in \"applinks.apps\" open every URL."
        case .asciiCaseOnly: "With \"caseSensitive\": false, letter case is also ignored for letters other than A to Z."
        case .backslash: "A backslash in a pattern matches any one character and hides the next one."
        case .bareDollar: "A dollar sign without ( after it is an ordinary character."
        case .brackets: "Brackets and braces in a pattern are ordinary characters."
        case .canonicalEquivalence: "A letter with an accent is different from the letter followed by the accent."
        case .customVariableShadows: "A variable of the file replaces Apple's variable with the same name."
        case .defaultsInPaths: "\"defaults\" also apply to \"paths\"."
        case .dotSegments: "The segments . and .. in a URL's path are not resolved before the comparison."
        case .doubleStarPath: "The path pattern ** does not match the root."
        case .emptyPath: "An empty path pattern matches only the root."
        case .emptyPaths: "An empty \"paths\" opens no URL."
        case .entriesOfWrongType: "Items of \"details\" that are not objects are skipped."
        case .exclusionScope: "An exclusion applies only to the apps of its own entry."
        case .firstEquals: "The value of a query item begins after the first = and can contain more of them."
        case .firstFittingValue: "All values of a variable are tried, not only the first that matches."
        case .flagCoercion:
            "A flag that is neither true nor false is read as a number or a string; null counts as false."
        case .fullCaseFolding: "With \"caseSensitive\": false, one letter matches one letter: ß does not match ss."
        case .invalidUTF8: "Text that does not decode to valid UTF-8 is compared as written."
        case .keyCase: "A key is recognized only in Apple's letter case."
        case .legacyDetailsOrder: "In the old form of \"details\", apps are in the order of their app IDs."
        case .manyWildcards: "A pattern with more than 64 wildcards and variables is compared like any other pattern."
        case .notPrefix: "\"NOT\" in any letter case, followed by exactly one space, marks an excluded path."
        case .notIsCaseSensitive: "Paths with \"NOT\" are always case-sensitive, regardless of \"defaults\"."
        case .numberValues: "Numbers in the list of a variable's values are ignored."
        case .oneCharacterPath: "A path pattern of one character is compared without an added slash."
        case .oneIsScalar: "If URLs are decoded, ? matches one character, not one byte."
        case .oneMatchesSlash: "? also matches a slash, even the one that is added at the end of the URL's path."
        case .pathParameters: "A semicolon in a URL's path is an ordinary character."
        case .patternsOfWrongType: "A value of \"components\" or \"paths\" that is not a list is ignored."
        case .plusIsNoSpace: "A plus sign in a query is not a space."
        case .queryItemNameCase: "Names of query items are case-sensitive, even with \"caseSensitive\": false."
        case .queryItemNameEncoding: "Names of query items are compared as written unless \"percentEncoded\" is false."
        case .queryItemNamePattern: "Names of query items are not patterns."
        case .querySemicolon: "A semicolon does not separate query items."
        case .regionAndLanguageCase: "$(region) and $(lang) match capital and small letters."
        case .repairedURL: "Characters that are not allowed in a URL are percent-encoded before the comparison."
        case .repeatedApp: "If an app has several entries, only the first counts."
        case .repeatedVariable: "A variable that appears twice in a pattern can match two different values."
        case .singlePattern: "A single component or path instead of a list is ignored."
        case .slashesBeyondPath: "Slashes at the beginning and end of a query or a fragment count."
        case .slashesInPaths: "Slashes at the beginning and end do not count in \"paths\" either."
        case .splitBeforeDecoding: "A query is split into items before it is decoded."
        case .starsInURL: "No slash is added to a URL's path that ends with a star."
        case .substitutedUTF8: "Bytes that are not valid UTF-8 are not replaced."
        case .trailingSlashBefore13: "iOS 9 to 12 ignore a slash at the end of a path."
        case .undefinedVariable: "A pattern with a variable that is not defined, or without its ), never matches."
        case .unrestrictedEntry: "An entry with neither \"components\" nor \"paths\" opens every URL."
        case .variableValues:
            "Values of a variable that are not plain strings are skipped. A single string counts as a list."
        case .variablesInPaths: "Variables also work in \"paths\"."
        case .wrongType: "A pattern or rule of the wrong type restricts nothing."
        }
    }
}
