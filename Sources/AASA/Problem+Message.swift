extension Problem {
    /// What is wrong, in words.
    var message: String {
        switch self {
        case .unreadable(let error): error.detail
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
        case .entryWithoutApps: "This entry names no app, so its rules serve nobody."
        case .emptyRules(let key): "\"\(key)\" is empty, so the apps of this entry open no URL at all."
        case .repeatedApp(let app, let first):
            "\(app) has an entry already, at \(first). Apple's systems are reported to use the first one only."
        case .unregisteredApp(let app): "\(app) is not among the registered apps."
        case .unknownKey(let name): "\"\(name)\" is not a key that Apple's systems know here; they ignore it."
        case .misspelledKey(let name, let meant):
            "\"\(name)\" is not a key that Apple's systems know here; it looks like \"\(meant)\". They ignore it."
        case .deadRule(let blocker): "This rule is never reached: the rule at \(blocker) matches every URL."
        case .undefinedVariable(let name):
            "$(\(name)) is neither defined in \"substitutionVariables\" nor by Apple, so the rule never matches."
        case .unterminatedVariable: "\"$(\" begins a variable, but \")\" is missing, so the rule never matches."
        case .legacyDetails: "\"details\" is an object. Apple's systems still read that old form, in no defined order."
        case .nonEmptyApps(let isIgnored):
            isIgnored
                ? "\"apps\" is not empty. It has no effect beside \"details\", and iOS 9 to 12 reject such a file."
                : "Without \"details\", every app of \"apps\" opens every URL of the domain."
        case .ignoredPaths:
            "\"paths\" has no effect: since iOS 13 \"components\" is used instead, and iOS 9 to 12 need \"apps\": [] "
                + "and \"appID\" besides."
        case .notFullyAnalysed:
            "The file is too complex to be analysed whole: whether rules can be reached, and which apps meet, was not "
                + "looked into to the end."
        case .ignoredAppID(let app):
            "\(app) is not in \"appIDs\", which is used instead of \"appID\" since iOS 13: this entry says nothing of it."
        case .placeholderAppID(let app, let others):
            "\(app) looks like the ID of an example" + (others > 0 ? ", as do \(others) more." : ".")
        case .contradictedRule(let earlier, let excludes):
            excludes
                ? "This exclusion never takes effect: the rule at \(earlier) matches every URL that it matches, "
                    + "comes first and opens them."
                : "This rule never opens a URL: the rule at \(earlier) matches every URL that it matches, comes first "
                    + "and excludes them."
        case .redundantRule(let earlier):
            "This rule is never reached: the rule at \(earlier) matches every URL that it matches, and decides the same."
        case .fragmentInPath:
            "A path never holds a \"#\": what stands behind it in a URL is the fragment. So the rule never matches."
        case .unencodedCharacter(let character, let encoded):
            "URLs are compared as written, and no URL has \(character) in this form: it is \(encoded) there. "
                + "So the pattern does not match what it shows."
        case .queryInPath:
            "The path is compared without the query, and \"?\" is a wildcard here: it stands for one character."
        case .urlInPath: "This is a whole URL, but only the path is compared. A URL's scheme and host are not in it."
        case .encodedPattern:
            "With \"percentEncoded\": false URLs are decoded before they are compared, so what is encoded in the "
                + "pattern matches nothing that it shows."
        case .unrestrictedEntry:
            "This entry has neither \"components\" nor \"paths\". Its apps are reported to open every URL of the domain."
        case .incompleteForOldSystems(let reason):
            "Part of the file is written for iOS 9 to 12, but these systems refuse it as a whole: \(reason)."
        case .pathsDisagree(let url, let paths, let components):
            "\"paths\" and \"components\" differ about \(url): by \"paths\" it \(paths) on iOS 9 to 12, "
                + "by \"components\" it \(components) since iOS 13."
        case .pathsSayLess(let rules):
            "\(rules == 1 ? "A rule" : "\(rules) rules") of \"components\" ask\(rules == 1 ? "s" : "") for a query, a "
                + "fragment or a flag, which \"paths\" cannot express: iOS 9 to 12 decide such URLs otherwise."
        case .emptyApplinks: "\"applinks\" names no app, so no app opens a URL of the domain."
        case .privateKey(let name):
            "\"\(name)\" is a key of Apple's own that is not documented. What it does to other files is not known."
        case .backslash:
            "A backslash does not escape: it is reported to stand for any one character and to hide the next one."
        case .leadingMark(let mark, let part):
            mark == "?"
                ? "The \(part) is compared without its \"?\", and \"?\" is a wildcard here: it asks for one character more."
                : "The \(part) is compared without its \"#\", so this pattern asks for a second one, which URLs do not have."
        case .optionalQueryItem(let name, let excludes):
            "\"*\" matches a query without \"\(name)\" as well, so this asks for nothing"
                + (excludes ? ": URLs without \"\(name)\" are excluded too." : ".")
        case .literalQueryName(let name, let reason): "The name \"\(name)\" is compared as it stands: \(reason)."
        case .wildcardAfterName(let bare):
            "\"?*\" asks for one more character, but \(bare) matches too: both are compared with a slash at the end, "
                + "and the slash is that character."
        case .shortPath(let text):
            text.isEmpty
                ? "An empty path pattern is reported to match the root alone."
                : "A path pattern of one character is reported to be compared as it is, without the slash that others "
                    + "are given" + (text == "?" ? ": this one matches the root alone." : ": this one matches nothing.")
        case .doubleStar(let isWhole):
            isWhole
                ? "\"**\" is no \"*\": as a path it is reported to mean \"/*/\", which the root does not match."
                : "\"**\" is the same as \"*\", which matches slashes already."
        case .malformedNot(let effect): "\"NOT\" must be written in capitals, with one space behind it: \(effect)."
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
            "The name \"\(name)\" holds a character that is special in patterns: whether $(\(name)) finds it is not "
                + "documented."
        case .nestedVariable: "A value cannot hold a variable; this one is reported to be skipped."
        case .shadowingVariable(let name):
            "Apple defines $(\(name)) too. Which of the two counts is not documented; this one is reported to."
        case .unusedVariable(let name): "No pattern uses $(\(name))."
        case .emptyVariable(let name): "$(\(name)) has no value, so patterns with it never match."
        case .decodedSlash(let url):
            "With \"percentEncoded\": false an encoded slash counts as a slash: \(url) matches too."
        case .evadableExclude(let url, let excluded, let byCase):
            "\(excluded) is excluded, but the app opens \(url): "
                + (byCase ? "letter case counts." : "URLs are compared as they are encoded.")
        case .overlappingApps(let url, let first, let second):
            "\(first) and \(second) both open \(url). Where both are installed, the first gets it."
        case .sensitiveLink(let links):
            "This rule opens links that usually have to stay on the web: "
                + links.prefix(4).map { "\($0.url) (\($0.purpose))" }.joined(separator: ", ")
                + (links.count > 4 ? ", and \(links.count - 4) more." : ".")
        case .headroom(let size, let savings):
            "The file has \(size) of \(Association.maximumSize) bytes"
                + (size > Association.maximumSize ? "" : ", \(Association.maximumSize - size) are left")
                + (savings.isEmpty ? "." : ". What would save bytes: ")
                + savings.map { "\($0.bytes) by \($0.how)" }.joined(separator: ", ") + (savings.isEmpty ? "" : ".")
        case .lostOnOldSystems(let loss):
            switch loss.kind {
            case .leftOut: "iOS 9 to 12 do not get this rule. \(loss.detail)"
            case .narrowed: "On iOS 9 to 12 this rule opens fewer URLs. \(loss.detail)"
            case .broadened: "On iOS 9 to 12 this rule excludes more URLs. \(loss.detail)"
            }
        }
    }
}
