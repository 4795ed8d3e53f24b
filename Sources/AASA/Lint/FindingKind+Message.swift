import StrictJSON

extension FindingKind {
    /// The problem, as a sentence for people.
    var message: String {
        switch self {
        case .unreadable(_, .page?): "This looks like an HTML page, not an apple-app-site-association file."
        case .unreadable(.invalidJSON(let error), .trailingComma?):
            "The file is not valid JSON (\(error.position.inWords)): there is a trailing comma."
        case .unreadable(.invalidJSON(let error), .curlyQuote(let mark)?):
            "Line \(error.position.line) uses a curly quotation mark (\(mark)). JSON needs straight quotes (\")."
        case .unreadable(_, .empty?): "The file is empty."
        case .unreadable(_, .mail?):
            "This is a signed email message (S/MIME), not JSON. For signed files Apple documents only the binary form "
                + "(DER)."
        case .unreadable(_, .frontMatter?):
            "The file is not valid JSON: it begins with \"---\", front matter that the site generator did not remove."
        case .unreadable(.invalidJSON(let error), .openString(let column)?):
            "The file is not valid JSON (line \(error.position.line), column \(column)): this string has no closing "
                + "quotation mark."
        case .unreadable(let error, _): error.detail
        case .signedPayload:
            "The file is CMS-signed. Waymark checked the JSON inside it, but not the signature. Lines and columns "
                + "refer to that JSON."
        case .duplicateKey(let name): "\"\(name)\" appears twice in this object. Which one counts is not defined."
        case .tooLarge(let size):
            "The file has \(size) bytes. Apple's systems accept at most \(Association.maximumSize) and ignore a larger "
                + "file completely."
        case .nearlyTooLarge(let size):
            "The file has \(size) bytes. The limit is \(Association.maximumSize), "
                + "but some tools read \"128 KB\" as \(Association.advisedSize)."
        case .noService: "The file has neither \"applinks\" nor any other service, so it has no effect."
        case .wrongType(let wanted, let found, let effect): "This must be \(wanted), not \(found): \(effect)."
        case .malformedAppID(let text, let reason): "\"\(text)\" is not a valid app ID: it \(reason)."
        case .entryWithoutApps(let unread):
            unread.map { "iOS does not read \"\($0)\" as the apps of this entry, so its rules apply to no app." }
                ?? "This entry has no valid app ID, so its rules apply to no app."
        case .emptyRules(let key): "\"\(key)\" is empty, so the apps of this entry open no URL."
        case .repeatedApp(let app, let first, let example):
            "\(app) is listed more than once. iOS is reported to use only the first entry (\(first)), so these rules "
                + "would be ignored"
                + (example.map { " and \($0) would not open the app. If iOS tries all entries, it does." }
                    ?? ". If iOS tries all entries, these rules apply too.")
        case .listedTwice(let app, let key): "\(app) appears twice in \"\(key)\"."
        case .unregisteredApp(let app): "\(app) is not registered."
        case .unknownKey(let name): "Unknown key \"\(name)\": iOS ignores it."
        case .misspelledKey(let name, let meant):
            "Unknown key \"\(name)\": iOS ignores it. Did you mean \"\(meant)\"?"
        case .deadRule(let blocker):
            "This rule has no effect: \(blocker) comes first, matches every URL, and gives the same result."
        case .undefinedVariable(let name):
            "$(\(name)) is defined neither in \"substitutionVariables\" nor by Apple, so this rule never matches."
        case .unterminatedVariable: "\"$(\" starts a variable, but \")\" is missing, so this rule never matches."
        case .legacyDetails: "\"details\" is an object. iOS still reads this old form, but in no defined order."
        case .nonEmptyApps(let isIgnored):
            isIgnored
                ? "\"apps\" is not empty. Apple documents that iOS 9 to 12 need it empty. Since iOS 13 it is reported "
                    + "to be ignored if there is \"details\"."
                : "Without \"details\", every app in \"apps\" is reported to open every URL of the domain."
        case .ignoredPaths(let missing):
            "\"paths\" has no effect: iOS 13 and later use \"components\" instead, and iOS 9 to 12 also need "
                + "\(missing)."
        case .notFullyAnalysed:
            "The file is too complex to check completely. Findings about unreachable rules and about apps that share "
                + "URLs may be missing."
        case .ignoredAppID(let app):
            "Since iOS 13 \"appIDs\" replaces \"appID\". \(app) is not in \"appIDs\", so this entry does not apply to "
                + "it."
        case .placeholderAppID(let app, let others):
            "\(app) looks like a sample app ID; no real app has such an ID." + Self.same(for: others, "app ID")
        case .contradictedRule(let earlier, let pattern, let excludes, _):
            (excludes ? "This exclusion never takes effect: " : "This rule never opens a URL: ") + earlier
                + (pattern.map { " (\($0))" } ?? "") + " already "
                + (excludes ? "opens every URL that it excludes." : "excludes every URL that it matches.")
        case .redundantRule(let earlier):
            "This rule has no effect: \(earlier) already matches every URL that it matches, with the same result."
        case .fragmentInPath:
            "A URL's path never contains \"#\": the text after it is the fragment. So this rule never matches."
        case .spaceAtEnd:
            "The pattern begins or ends with white space. It counts as part of the pattern, and no URL has it there."
        case .unencodedCharacter(let character, let encoded, let place):
            "In a URL, \(character) is written \(encoded), and URLs are compared as written. "
                + "So this \(place == .name ? "name" : place == .value ? "value" : "pattern") does not match the text "
                + "that it shows."
        case .queryInPath:
            "\"?\" in a path is a wildcard for one character. The path is compared without the query, so this pattern "
                + "does not match query items."
        case .urlInPath(nil, _): "This is a whole URL, but patterns are compared with the path only."
        case .urlInPath(let host?, _):
            "\"\(host)\" looks like a host, but patterns are compared with the path only."
        case .encodedPattern:
            "With \"percentEncoded\": false, URLs are decoded before they are compared, so this encoded pattern does "
                + "not match the URL that it shows."
        case .unrestrictedEntry(let unread):
            (unread.map { "iOS does not read \"\($0)\" as the rules of this entry." }
                ?? "This entry has neither \"components\" nor \"paths\".")
                + " Its apps are reported to open every URL of the domain."
        case .incompleteForOldSystems(let reason):
            "Part of the file is written for iOS 9 to 12, but \(reason). These systems are reported to reject the "
                + "whole file."
        case .pathsDisagree(let url, let paths, let components):
            "\"paths\" and \"components\" disagree about \(url): it \(paths) on iOS 9 to 12 (\"paths\") and "
                + "\(components) on iOS 13 and later (\"components\")."
        case .pathsSayLess(let rules):
            "\(rules == 1 ? "One rule" : "\(rules) rules") of \"components\" use\(rules == 1 ? "s" : "") a query, a "
                + "fragment or a flag, which \"paths\" cannot express. iOS 9 to 12 decide about such URLs by the path "
                + "alone."
        case .emptyService(let name):
            "\"\(name)\" names no app, so "
                + (name == "applinks" ? "no app opens URLs of this domain." : "this service has no effect.")
        case .privateKey(let name):
            "\"\(name)\" is an undocumented key of Apple's own files. Its effect in other files is unknown."
        case .backslash:
            "A backslash is not an escape character. It is reported to match any one character and to hide the next "
                + "one."
        case .leadingMark(let mark, let part):
            "The \(part) is compared without its \"\(mark)\". "
                + (mark == "?"
                    ? "This \"?\" is a wildcard and requires one more character."
                    : "This pattern requires a second \"#\", which URLs do not have.")
        case .optionalQueryItem(let name, let excludes):
            "\"*\" also matches a URL without \(name), so "
                + (excludes ? "such URLs are excluded too." : "this condition has no effect.")
        case .literalQueryName(let name, let reason): "The name \"\(name)\" is compared literally: \(reason)."
        case .wildcardAfterName(let bare):
            "\"?*\" requires one more character, but \(bare) matches too: paths are compared with a slash at the end, "
                + "which counts as that character."
        case .shortPath(let text):
            text.isEmpty
                ? "An empty path pattern is reported to match only the root."
                : "iOS is reported to add a missing first slash to path patterns, but not to a pattern of one "
                    + "character. This one matches \(text == "?" ? "only the root." : "nothing.")"
        case .doubleStar(isWhole: true, excludes: true):
            "As a path, \"**\" is reported to mean \"/*/\". This excludes every page but the root, so later rules "
                + "cannot open them."
        case .doubleStar(let isWhole, _):
            isWhole
                ? "As a path, \"**\" is reported to mean \"/*/\", which does not match the root."
                : "\"**\" is the same as \"*\", which already matches slashes."
        case .malformedNot(let effect): "\"NOT\" must be in capitals, followed by one space: \(effect)."
        case .notInComponents: "\"NOT\" works only in \"paths\". Here it is part of the path and excludes nothing."
        case .foldedQueryName(let name):
            "Whether \"caseSensitive\": false also applies to the name \"\(name)\" is not documented."
        case .localeVariable(let name, let isCaseOpen):
            isCaseOpen
                ? "Whether $(\(name)) matches both \(name == "lang" ? "en and EN" : "US and us") is not documented. "
                    + "Apple's list has \(name == "lang" ? "en." : "US and GB, but not UK.")"
                : "$(\(name)) matches GB, but not UK, which this file also uses."
        case .variableInPaths:
            "Variables in \"paths\" are not documented. Before iOS 13.5, \"$(…)\" is literal text."
        case .variableName(let name):
            name.isEmpty
                ? "A variable without a name cannot be used in a pattern."
                : "Apple does not allow $, ( or ) in a variable name. Whether $(\(name)) works is not documented."
        case .nestedVariable:
            "A value cannot contain a variable. iOS is reported to skip this value, so it matches no URL."
        case .shadowingVariable(let name):
            "Apple also defines $(\(name)). Which definition counts is not documented; iOS is reported to use this one."
        case .unusedVariable(let name): "No pattern uses $(\(name))."
        case .emptyVariable(let name): "$(\(name)) has no values, so patterns that use it never match."
        case .decodedSlash(let url):
            "With \"percentEncoded\": false, an encoded slash counts as a slash: \(url) matches too."
        case .evadableExclude(let evasions, let excluded, _):
            "\(excluded) is excluded, but the app opens " + evasions.map(\.url).joined(separator: " and ")
                + ": \(evasions.map(\.way.reason).joined(separator: ", and "))."
        case .overlappingApps(let url, let first, let second, let isOrdered):
            "\(first) and \(second) both open \(url). If both are installed, "
                + (isOrdered ? "the first one opens it." : "which one opens it is not defined.")
        case .sensitiveLink(let links, let opener):
            "\(opener) opens links that usually belong in the browser: "
                + links.prefix(4).map { "\($0.url) (\($0.purpose))" }.joined(separator: ", ")
                + (links.count > 4 ? ", and \(links.count - 4) more." : ".")
        case .headroom(let size, let savings):
            (size.map { size in
                "The file has \(size) of at most \(Association.maximumSize) bytes; \(Association.maximumSize - size) "
                    + "are left." + (savings.isEmpty ? "" : " ")
            } ?? "") + (savings.isEmpty ? "" : "Bytes that you can save: ")
                + savings.map { "\($0.bytes) by \($0.how)" }.joined(separator: ", ") + (savings.isEmpty ? "" : ".")
        case .lostOnOldSystems(let loss):
            switch loss.kind {
            case .leftOut: "iOS 9 to 12 do not get this rule. \(loss.detail)"
            case .narrowed: "On iOS 9 to 12 this rule opens fewer URLs. \(loss.detail)"
            case .broadened: "On iOS 9 to 12 this rule excludes more URLs. \(loss.detail)"
            }
        case .opensNothing:
            "Every rule of this entry is an exclusion, so its apps open no URL. URLs that no rule matches open in the "
                + "browser too."
        case .idleExclusion(let others):
            "This exclusion has no effect yet: no later rule opens a URL that it matches."
                + Self.same(for: others, "exclusion", of: "this entry")
        case .misplacedKey(let name, let place, let home, _):
            "\"\(name)\" has no effect in \(place): "
                + (home.map { "iOS reads it only in \($0)." } ?? "iOS ignores it.")
        case .foreignSyntax(let syntax):
            "\"\(syntax.text)\" is literal text. Patterns support only \"*\", \"?\" and \"$(name)\"."
        case .brokenEscape:
            "\"%\" must be followed by two hexadecimal digits. In a URL, a percent sign itself is written %25."
        case .unusualEscape(let text, let usual):
            "URL parsers write \"\(usual)\" instead of \"\(text)\". URLs are compared as written, so the two do not "
                + "match."
        case .bracketedName(let name, let encoded):
            "Some URLs spell the name \"\(name)\" as \"\(encoded)\", which is reported to count as a different name."
        case .queryAsText(let item, let hasValue, let excludes):
            "This pattern is compared with the whole query. "
                + (hasValue
                    ? "With another item, or with \"\(item)\" in another position, "
                    : "It matches ?\(item) alone: with a value or with another item, ")
                + (excludes ? "a URL is not excluded." : "a URL does not match.")
        case .byteOrderMark:
            "The file begins with a byte order mark, which JSON does not allow. Whether iOS accepts it is not "
                + "documented."
        case .emptyValue: "This value is empty, so the variable can stand for no text at all."
        case .narrowQueryItem(let name, let pattern):
            pattern.isEmpty
                ? "An empty pattern matches only if \"\(name)\" is missing or has no value."
                : "\"?\" matches only if \"\(name)\" has a value of exactly one character."
        case .similarAppIDs(let app, let other):
            "\(app) and \(other) differ in one character, and no service lists both. One of them may be a typo."
        case .numericPrefix(let prefix):
            "The prefix \(prefix) has only digits. It looks like an App Store ID, not like a Team ID."
        case .sampleRule(let others): "This rule is from Apple's example." + Self.same(for: others, "rule")
        case .defaultsOverPaths:
            "Whether \"defaults\" apply to \"paths\" is not documented; they are reported to."
        case .ruleWithoutPattern(let name, _, let excludes):
            "Unknown key \"\(name)\": iOS ignores it. With no \"/\", \"?\" or \"#\" left, this rule matches every URL"
                + (excludes ? " and excludes it." : ".")
        case .misspelledSection(let name, let meant, let effect):
            "\"\(name)\" is misspelled, so iOS ignores the whole section: \(effect). Did you mean \"\(meant)\"?"
        case .placeholderTeamID(let app, let others):
            "\(app) seems to begin with a placeholder for a Team ID. Then no app has this ID."
                + Self.same(for: others, "app ID", of: "the file")
        case .patternInDefaults(let key):
            "\"\(key)\" in \"defaults\" applies to every rule without its own \"\(key)\"."
        case .severalPatterns(let patterns, _):
            "This looks like a list of \(patterns.count) patterns, but a string is one pattern. It does not match the "
                + "URLs that separate patterns would."
        case .exclamationMark:
            "\"!\" does not exclude. It is part of the path, so this rule excludes nothing."
        case .openingWildcard(let url, let exclusion):
            "\"?\" matches any character, so this rule also opens \(url). "
                + "The later exclusion, \(exclusion), is meant to keep it in the browser."
        case .overlappedExclusion(let url, let opener):
            "An earlier rule, \(opener), opens some of the URLs that this rule excludes, such as \(url)."
        case .appAndClip(let app):
            "\(app) is in both \"applinks\" and \"appclips\". An App Clip has its own bundle ID, so one of the two is "
                + "wrong."
        case .assetLinks: "This is an assetlinks.json, the file for Android. iOS cannot read it."
        }
    }

    /// A sentence about other places with the same problem, or an empty string if no other place has it.
    private static func same(for others: Int, _ what: String, of place: String? = nil) -> String {
        guard others > 0 else { return "" }
        return " The same goes for \(others) other \(what)\(others == 1 ? "" : "s")\(place.map { " of \($0)" } ?? "")."
    }
}

extension JSONPosition {
    /// "line 2, column 5".
    var inWords: String { "line \(line), column \(column)" }
}

extension JSONPointer {
    /// The rule at this place as people count it, from 1 within its entry: "rule 2".
    var ruleName: String {
        guard let index = tokens.last.flatMap({ Int($0) }) else { return "the rule at \(self)" }
        return "rule \(index + 1)"
    }
}

extension Evasion.Way {
    /// The reason why iOS treats the URL as a different one, as a clause.
    fileprivate var reason: String {
        switch self {
        case .letterCase: "letter case counts"
        case .encoding: "URLs are compared as they are encoded"
        case .repetition: "if an item appears more than once, every occurrence must match"
        }
    }
}
