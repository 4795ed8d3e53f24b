import StrictJSON

extension FindingKind {
    /// What is wrong, in words.
    var message: String {
        switch self {
        case .unreadable(_, .page?): "This looks like an HTML page: the server answered with a page, not with the file."
        case .unreadable(.invalidJSON(let error), .trailingComma?):
            "The file is not valid JSON: line \(error.position.line), column \(error.position.column): there is a comma "
                + "behind the last element."
        case .unreadable(_, .empty?): "The file is empty."
        case .unreadable(_, .mail?):
            "This is a signed message in the form that mails have, not JSON. Of signed files Apple documents the "
                + "binary form (DER) alone."
        case .unreadable(_, .frontMatter?):
            "The file is not valid JSON: it begins with \"---\", the front matter of a site generator, which was not taken "
                + "out."
        case .unreadable(.invalidJSON(let error), .openString(let column)?):
            "The file is not valid JSON: line \(error.position.line): the string that begins in column \(column) is not "
                + "closed."
        case .unreadable(let error, _): error.detail
        case .signedPayload:
            "The file is CMS-signed. What is inside was read, and the signature is not checked; lines and columns are "
                + "those of the text inside."
        case .duplicateKey(let name):
            "The key \"\(name)\" stands twice in this object. Which of the two counts is not defined."
        case .tooLarge(let size):
            "The file has \(size) bytes; Apple's systems take at most \(Association.maximumSize) and drop the file whole."
        case .nearlyTooLarge(let size):
            "The file has \(size) bytes: less than the limit of \(Association.maximumSize), "
                + "but some tools count the limit of \"128 KB\" as \(Association.advisedSize)."
        case .noService:
            "The file has no service: neither \"applinks\" nor any other. It associates nothing."
        case .wrongType(let wanted, let found, let effect): "This must be \(wanted), but it is \(found): \(effect)."
        case .malformedAppID(let text, let reason): "\"\(text)\" is no app ID: it \(reason)."
        case .entryWithoutApps(let unread):
            (unread.map { "\"\($0)\" is not read as the apps of this entry" } ?? "This entry names no app")
                + ", so its rules serve nobody."
        case .emptyRules(let key): "\"\(key)\" is empty, so the apps of this entry open no URL at all."
        case .repeatedApp(let app, let first, let example):
            "\(app) has several entries, the first at \(first). Apple's systems are reported to use the first one only: "
                + "then these rules are ignored"
                + (example.map { ", and \($0) does not open the app. If they try all entries, it does." }
                    ?? ". If they try all entries, these rules apply too.")
        case .listedTwice(let app, let key): "\(app) stands twice in \"\(key)\"."
        case .unregisteredApp(let app): "\(app) is not among the registered apps."
        case .unknownKey(let name): "\"\(name)\" is not a key that Apple's systems know here; they ignore it."
        case .misspelledKey(let name, let meant):
            "\"\(name)\" is not a key that Apple's systems know here; it looks like \"\(meant)\". They ignore it."
        case .deadRule(let blocker):
            "This rule is never reached: the rule at \(blocker) matches every URL, and decides the same."
        case .undefinedVariable(let name):
            "$(\(name)) is neither defined in \"substitutionVariables\" nor by Apple, so the rule never matches."
        case .unterminatedVariable: "\"$(\" begins a variable, but \")\" is missing, so the rule never matches."
        case .legacyDetails: "\"details\" is an object. Apple's systems still read that old form, in no defined order."
        case .nonEmptyApps(let isIgnored):
            isIgnored
                ? "\"apps\" is not empty. Apple documents that iOS 9 to 12 need it empty; since iOS 13 it is reported to be "
                    + "ignored beside \"details\"."
                : "Without \"details\", every app of \"apps\" is reported to open every URL of the domain."
        case .ignoredPaths(let missing):
            "\"paths\" has no effect: since iOS 13 \"components\" is used instead, and iOS 9 to 12 need \(missing) besides."
        case .notFullyAnalysed:
            "The file is too complex to be analysed whole: whether rules can be reached, and which apps meet, was not "
                + "looked into to the end."
        case .ignoredAppID(let app):
            "\(app) is not in \"appIDs\", which is used instead of \"appID\" since iOS 13: this entry says nothing of it."
        case .placeholderAppID(let app, let others):
            "\(app) looks like the ID of an example"
                + (others == 0 ? "." : others == 1 ? ", as does another one." : ", as do \(others) others.")
        case .contradictedRule(let earlier, let pattern, let excludes, _):
            (excludes ? "This exclusion never takes effect" : "This rule never opens a URL")
                + ": the rule \(pattern.map { "\"\($0)\" " } ?? "")at \(earlier) matches every URL that it matches, "
                + "comes first and \(excludes ? "opens" : "excludes") them."
        case .redundantRule(let earlier):
            "This rule is never reached: the rule at \(earlier) matches every URL that it matches, and decides the same."
        case .fragmentInPath:
            "A path never holds a \"#\": what stands behind it in a URL is the fragment. So the rule never matches."
        case .spaceAtEnd: "White space at the end or the beginning belongs to the pattern, and no URL has it there."
        case .unencodedCharacter(let character, let encoded, let place):
            "URLs are compared as written, and no URL has \(character) in this form: it is \(encoded) there. "
                + "So the \(place == .name ? "name" : place == .value ? "value" : "pattern") does not match what it shows."
        case .queryInPath:
            "The path is compared without the query, and \"?\" is a wildcard here: it stands for one character."
        case .urlInPath(nil, _):
            "This is a whole URL, but only the path is compared. A URL's scheme and host are not in it."
        case .urlInPath(let host?, _):
            "\"\(host)\" looks like a host, but only the path is compared, and the host is not in it."
        case .encodedPattern:
            "With \"percentEncoded\": false URLs are decoded before they are compared, so what is encoded in the "
                + "pattern matches nothing that it shows."
        case .unrestrictedEntry(let unread):
            (unread.map { "\"\($0)\" is not read as the rules of this entry." }
                ?? "This entry has neither \"components\" nor \"paths\".")
                + " Its apps are reported to open every URL of the domain."
        case .incompleteForOldSystems(let reason):
            "Part of the file is written for iOS 9 to 12, but \(reason). These systems are reported to refuse such a file "
                + "as a whole."
        case .pathsDisagree(let url, let paths, let components):
            "\"paths\" and \"components\" differ about \(url): by \"paths\" it \(paths) on iOS 9 to 12, "
                + "by \"components\" it \(components) since iOS 13."
        case .pathsSayLess(let rules):
            "\(rules == 1 ? "A rule" : "\(rules) rules") of \"components\" ask\(rules == 1 ? "s" : "") for a query, a "
                + "fragment or a flag, which \"paths\" cannot express: iOS 9 to 12 decide such URLs otherwise."
        case .emptyService(let name):
            "\"\(name)\" names no app, so "
                + (name == "applinks" ? "no app opens a URL of the domain." : "this service has no effect.")
        case .privateKey(let name):
            "\"\(name)\" is a key of Apple's own that is not documented. What it does to other files is not known."
        case .backslash:
            "A backslash does not escape: it is reported to stand for any one character and to hide the next one."
        case .leadingMark(let mark, let part):
            mark == "?"
                ? "The \(part) is compared without its \"?\", and \"?\" is a wildcard here: it asks for one character more."
                : "The \(part) is compared without its \"#\", so this pattern asks for a second one, which URLs do not have."
        case .optionalQueryItem(let name, let excludes):
            "\"*\" matches a URL without \(name) as well, so "
                + (excludes ? "such URLs are excluded too." : "this asks for nothing.")
        case .literalQueryName(let name, let reason): "The name \"\(name)\" is compared as it stands: \(reason)."
        case .wildcardAfterName(let bare):
            "\"?*\" asks for one more character, but \(bare) matches too: both are compared with a slash at the end, "
                + "and the slash is that character."
        case .shortPath(let text):
            text.isEmpty
                ? "An empty path pattern is reported to match the root alone."
                : "A path pattern of one character is reported to be compared as it is, without the slash that others "
                    + "are given" + (text == "?" ? ": this one matches the root alone." : ": this one matches nothing.")
        case .doubleStar(isWhole: true, excludes: true):
            "\"**\" is no \"*\": as a path it is reported to mean \"/*/\", so this excludes every page but the root, and the "
                + "rules behind it open none."
        case .doubleStar(let isWhole, _):
            isWhole
                ? "\"**\" is no \"*\": as a path it is reported to mean \"/*/\", which the root does not match."
                : "\"**\" is the same as \"*\", which matches slashes already."
        case .malformedNot(let effect): "\"NOT\" must be written in capitals, with one space behind it: \(effect)."
        case .notInComponents: "\"NOT\" is for \"paths\": here it is part of the path, and excludes nothing."
        case .foldedQueryName(let name):
            "Whether letter case counts in the name \"\(name)\" with \"caseSensitive\": false is not known."
        case .localeVariable(let name, let isCaseOpen):
            isCaseOpen
                ? "Whether $(\(name)) matches both \(name == "lang" ? "en and EN" : "US and us") is not known. "
                    + "Apple's list has \(name == "lang" ? "en" : "US")\(name == "lang" ? "." : ", and GB, but no UK.")"
                : "$(\(name)) stands for GB, but not for UK, which this file has too."
        case .variableInPaths:
            "Variables in \"paths\" are not documented; before iOS 13.5, \"$(…)\" is literal text."
        case .variableName(let name):
            name.isEmpty
                ? "A variable without a name cannot be used in a pattern."
                : "Apple does not allow $, ( or ) in a variable's name: whether $(\(name)) finds it is not documented."
        case .nestedVariable:
            "A value cannot hold a variable. Apple's systems are reported to skip this one, so it matches no URL."
        case .shadowingVariable(let name):
            "Apple defines $(\(name)) too. Which of the two counts is not documented; this one is reported to."
        case .unusedVariable(let name): "No pattern uses $(\(name))."
        case .emptyVariable(let name): "$(\(name)) has no value, so patterns with it never match."
        case .decodedSlash(let url):
            "With \"percentEncoded\": false an encoded slash counts as a slash: \(url) matches too."
        case .evadableExclude(let evasions, let excluded, _):
            "\(excluded) is excluded, but the app opens " + evasions.map(\.url).joined(separator: " and ")
                + ": \(evasions.map(\.way.reason).joined(separator: ", and "))."
        case .overlappingApps(let url, let first, let second, let isOrdered):
            "\(first) and \(second) both open \(url). Where both are installed, "
                + (isOrdered ? "the first gets it." : "which of them gets it is not defined.")
        case .sensitiveLink(let links, let opener):
            "\(opener) opens links that usually have to stay on the web: "
                + links.prefix(4).map { "\($0.url) (\($0.purpose))" }.joined(separator: ", ")
                + (links.count > 4 ? ", and \(links.count - 4) more." : ".")
        case .headroom(let size, let savings):
            (size.map { size in
                "The file has \(size) of \(Association.maximumSize) bytes, \(Association.maximumSize - size) are left."
                    + (savings.isEmpty ? "" : " ")
            } ?? "") + (savings.isEmpty ? "" : "What would save bytes: ")
                + savings.map { "\($0.bytes) by \($0.how)" }.joined(separator: ", ") + (savings.isEmpty ? "" : ".")
        case .lostOnOldSystems(let loss):
            switch loss.kind {
            case .leftOut: "iOS 9 to 12 do not get this rule. \(loss.detail)"
            case .narrowed: "On iOS 9 to 12 this rule opens fewer URLs. \(loss.detail)"
            case .broadened: "On iOS 9 to 12 this rule excludes more URLs. \(loss.detail)"
            }
        case .opensNothing:
            "Every rule of this entry excludes, so its apps open no URL: what no rule matches stays on the web too."
        case .idleExclusion(let others):
            "This exclusion does nothing: no later rule opens a URL that it matches."
                + (others == 0 ? "" : " The same goes for \(others) other\(others == 1 ? "" : "s") of this entry.")
        case .misplacedKey(let name, let place, let home, _):
            "\"\(name)\" does nothing in \(place)"
                + (home.map { ": Apple's systems read it in \($0) only." } ?? ": Apple's systems ignore it.")
        case .foreignSyntax(let syntax):
            "\"\(syntax.text)\" is literal text: patterns know only \"*\", \"?\" and \"$(name)\"."
        case .brokenEscape:
            "A \"%\" begins an encoded character of two hexadecimal digits; a percent sign itself is %25 in URLs."
        case .unusualEscape(let text, let usual):
            "URLs are compared as written, and \"\(text)\" is \"\(usual)\" as URL parsers write it, which is another text."
        case .bracketedName(let name, let encoded):
            "A URL may have the name \"\(name)\" as \"\(encoded)\", which is reported to be another name."
        case .queryAsText(let item, let hasValue, let excludes):
            "This is compared with the whole query: "
                + (hasValue
                    ? "with another item, or \"\(item)\" in another place, "
                    : "it is ?\(item) alone; with a value, or another item, ")
                + (excludes ? "a URL is not excluded." : "a URL does not match.")
        case .byteOrderMark:
            "The file begins with a byte order mark, which JSON does not allow. Whether Apple's systems take it is not "
                + "documented."
        case .emptyValue: "An empty value lets the variable stand for nothing at all."
        case .narrowQueryItem(let name, let pattern):
            pattern.isEmpty
                ? "An empty pattern matches only where \"\(name)\" is absent or has no value."
                : "\"?\" matches only where \"\(name)\" has a value of exactly one character."
        case .similarAppIDs(let app, let other):
            "\(app) and \(other) differ in one character, and no service has both: one of them may be a slip."
        case .numericPrefix(let prefix):
            "\(prefix) has digits only: it looks like an app's number in the App Store, not like a Team ID."
        case .sampleRule(let others):
            "This rule is one of Apple's example"
                + (others == 0 ? "." : others == 1 ? ", as is another one." : ", as are \(others) others.")
        case .defaultsOverPaths:
            "Whether \"defaults\" apply to \"paths\" is not documented; they are reported to."
        case .ruleWithoutPattern(let name, _, let excludes):
            "\"\(name)\" is an ignored key; this rule now matches every URL"
                + (excludes ? " and keeps it in the browser." : ".")
        case .misspelledSection(let name, let meant, let effect):
            "\"\(name)\" is misspelled, so Apple's systems ignore the whole section: \(effect). "
                + "It looks like \"\(meant)\"."
        case .placeholderTeamID(let app, let others):
            "\(app) seems to begin with a placeholder in place of a Team ID. Then no app has this ID."
                + (others == 0 ? "" : " The same goes for \(others) other ID\(others == 1 ? "" : "s") of the file.")
        case .patternInDefaults(let key):
            "\"\(key)\" in \"defaults\" restricts every rule that has no \"\(key)\" of its own."
        case .severalPatterns(let patterns, _):
            "A string is one pattern. This one looks like \(patterns.count) and is compared as a whole, so it does not "
                + "match what each of them would."
        case .exclamationMark:
            "\"!\" does not exclude. It is part of the path, so this rule excludes nothing."
        case .openingWildcard(let url, let exclusion):
            "\"?\" matches any character, so this rule also opens \(url). "
                + "The later exclusion at \(exclusion) is meant to keep it in the browser."
        case .overlappedExclusion(let url, let opener):
            "The earlier rule at \(opener) opens some of the URLs that this excludes, such as \(url)."
        case .appAndClip(let app):
            "\(app) is in \"applinks\" and in \"appclips\". An App Clip has its own bundle ID, so one of the two is "
                + "wrong."
        case .assetLinks:
            "This is an assetlinks.json, the file for Android. Apple's systems cannot read it."
        }
    }
}

extension Evasion.Way {
    /// What makes the URL another one, in words.
    fileprivate var reason: String {
        switch self {
        case .letterCase: "letter case counts"
        case .encoding: "URLs are compared as they are encoded"
        case .repetition: "of an item that stands several times, each has to match"
        }
    }
}
