extension FindingKind {
    /// What to do, in words.
    var remedy: String {
        switch self {
        case .unreadable(_, .page?):
            "Serve the file at this address, as JSON, without signing in and without redirects."
        case .unreadable(_, .empty?): "Write {\"applinks\": {…}}, or serve no file at this address."
        case .unreadable(_, .mail?): "Serve the JSON itself, unsigned, over HTTPS."
        case .unreadable(_, .frontMatter?):
            "Let the site generator process the file, or remove the lines between \"---\"."
        case .unreadable(_, .openString?):
            "Write the closing quotation mark, which is \" and no other, or remove the opening one."
        case .unreadable(.invalidJSON, .trailingComma?): "Remove the comma before this place."
        case .unreadable(.invalidJSON, _):
            "Correct the JSON at this place; comments and trailing commas are not allowed."
        case .unreadable(.rootIsNotAnObject, _): "Put everything into one object: {\"applinks\": {…}}."
        case .unreadable(.otherEncoding, _): "Save the file as UTF-8."
        case .unreadable(.signed, _), .unreadable(.damagedSignedFile, _), .signedPayload:
            "Serve the JSON itself, unsigned, over HTTPS."
        case .duplicateKey: "Keep one of the two, or put both patterns into one object."
        case .tooLarge, .nearlyTooLarge:
            "Merge rules with wildcards and substitution variables, move repeated keys to \"defaults\", "
                + "drop comments and white space."
        case .noService: "Add \"applinks\" or another service; service names are in lower case."
        case .wrongType(let wanted, _, _): "Write \(wanted)."
        case .malformedAppID:
            "Write the App ID Prefix (10 characters, usually the Team ID), a period and the bundle ID: "
                + "ABCDE12345.com.example.app."
        case .entryWithoutApps(let unread):
            unread == nil
                ? "Name the apps in \"appIDs\", or remove the entry."
                : "Write \"appIDs\": [\"ABCDE12345.com.example.app\"]."
        case .emptyRules(let key):
            "Add a rule, remove \"\(key)\" if the apps are to open every URL, or remove the entry."
        case .repeatedApp: "Give each app one entry with all of its rules."
        case .listedTwice: "Remove one of the two."
        case .unregisteredApp: "Check the spelling, or register the app."
        case .unknownKey: "Remove the key if it has no use elsewhere."
        case .misspelledKey(_, let meant): "Write \"\(meant)\"."
        case .deadRule: "Remove this rule, or move it before that one if it should be asked first."
        case .undefinedVariable: "Define the variable, or correct its name: letter case counts."
        case .unterminatedVariable: "Add the \")\"."
        case .legacyDetails: "Make \"details\" an array of objects with \"appIDs\" and \"components\"."
        case .nonEmptyApps: "Name the apps in \"details\", and leave \"apps\" out or empty."
        case .ignoredPaths: "Remove \"paths\", or add what iOS 9 to 12 need."
        case .notFullyAnalysed: "Use fewer rules, variables with fewer values, or patterns with fewer wildcards."
        case .ignoredAppID: "Add the app to \"appIDs\", or remove \"appID\"."
        case .placeholderAppID: "Write your own Team ID and bundle ID."
        case .contradictedRule(_, _, _, let item?):
            "Write \"?*\" at \(item), if that rule is meant for URLs that have the item."
        case .contradictedRule: "Move this rule before that one, or remove it."
        case .redundantRule: "Remove this rule, unless it should be asked first."
        case .fragmentInPath(let isInPaths):
            isInPaths
                ? "Write the path alone; fragments can be asked for in \"components\" only."
                : "Write what stands behind the \"#\" as the pattern of \"#\", without the mark."
        case .spaceAtEnd: "Remove the white space."
        case .unencodedCharacter(_, let encoded, place: .components):
            "Write \(encoded), or set \"percentEncoded\" to false."
        case .unencodedCharacter(_, let encoded, _): "Write \(encoded)."
        case .queryInPath(let isInPaths):
            isInPaths
                ? "Write the path alone, which matches any query; queries can be asked for in \"components\" only."
                : "Write the query's items in \"?\": {\"name\": \"pattern\"}; a path alone matches any query."
        case .urlInPath(_, excludesAll: true):
            "Remove this rule: without the host it would exclude every page, and another host has a file of its own."
        case .urlInPath: "Write the path alone, from its first slash."
        case .encodedPattern: "Write the character itself, or leave \"percentEncoded\" out."
        case .unrestrictedEntry(let unread):
            unread == nil
                ? "Add \"components\": [{\"/\": \"*\"}] if every URL is meant."
                : "Write the rules as \"components\": [{\"/\": \"/path\"}] in the entry."
        case .incompleteForOldSystems:
            "Add what is missing, or write \"appIDs\" and \"components\" alone if iOS 12 and earlier do not matter."
        case .pathsDisagree: "Make \"paths\" say the same, or remove them if iOS 12 and earlier do not matter."
        case .pathsSayLess:
            "Leave out of \"paths\" what they cannot say; exclude with \"NOT\" what must stay on the web."
        case .emptyService("applinks"): "Add \"details\", or remove \"applinks\"."
        case .emptyService(let name): "Write \"apps\": [\"ABCDE12345.com.example.app\"], or remove \"\(name)\"."
        case .privateKey: "Remove the key."
        case .backslash: "Write \"?\" for a character that cannot be written, or its percent-encoded form."
        case .leadingMark: "Remove the mark."
        case .optionalQueryItem(let name, _): "Write \"?*\" if \(name) must be there, or remove this."
        case .literalQueryName: "Write the name as URLs have it, one member for each name."
        case .wildcardAfterName: "Write \"/?*\" for what lies below, or \"*\" if the bare name is meant too."
        case .shortPath(let text):
            text.isEmpty ? "Write \"/\" for the root, or \"*\" for every path." : "Write the path with its slash."
        case .doubleStar(isWhole: true, excludes: true):
            "Remove this rule, or write the path that is to be excluded."
        case .doubleStar: "Write \"*\"."
        case .malformedNot: "Write \"NOT \" and the path."
        case .notInComponents: "Write the path alone, and \"exclude\": true beside it."
        case .foldedQueryName: "Write the name as URLs have it, and do not rely on other spellings."
        case .localeVariable(_, let isCaseOpen):
            isCaseOpen ? "Set \"caseSensitive\" to false." : "List the codes that you use in a variable of your own."
        case .variableInPaths: "Use \"components\" for patterns with variables."
        case .variableName: "Choose a name without these characters."
        case .nestedVariable: "Write the values out."
        case .shadowingVariable: "Choose another name."
        case .unusedVariable: "Remove it."
        case .emptyVariable: "Add a value, or remove the rules that use it."
        case .decodedSlash: "Leave \"percentEncoded\" out for this rule if that matters."
        case .evadableExclude(let evasions, _, _) where evasions.allSatisfy { $0.way == .repetition }:
            "No pattern of an item is safe from this: leave \"?\" out if the path must stay on the web whatever its query is."
        case .evadableExclude(_, _, isInPaths: true):
            "Write the rules as \"components\", where \"caseSensitive\" and \"percentEncoded\" can be false."
        case .evadableExclude: "Set \"caseSensitive\" and \"percentEncoded\" to false for this exclusion."
        case .overlappingApps(_, _, _, isOrdered: false):
            "Make \"details\" an array, whose order counts, or make the rules of one exclude what the other opens."
        case .overlappingApps: "Check the order of the entries, or make the rules of one exclude what the other opens."
        case .sensitiveLink: "If the site has such links, exclude them before this rule."
        case .lostOnOldSystems: "Leave it if such links may stay on the web there, or write the rule by its path alone."
        case .headroom: "Save bytes while there is time: above the limit, Apple's systems drop the file whole."
        case .opensNothing(let remedy), .misplacedKey(_, _, _, let remedy): remedy
        case .idleExclusion: "Move it before the rules that it is to restrict, or remove it."
        case .foreignSyntax(let syntax): syntax.remedy
        case .brokenEscape: "Write %25 for a percent sign."
        case .unusualEscape(_, let usual): "Write \"\(usual)\"."
        case .bracketedName(let name, let encoded):
            "Write a rule for \"\(name)\" and one for \"\(encoded)\", or see which of them the site's links have."
        case .queryAsText(let item, _, _): "Write {\"\(item)\": \"?*\"} to ask for the item wherever it stands."
        case .byteOrderMark: "Save the file as UTF-8 without a byte order mark."
        case .emptyValue: "Remove it unless that is meant."
        case .narrowQueryItem: "Write \"?*\" if any value will do; leave it if that is meant."
        case .similarAppIDs: "Write the same ID in both places, or leave it if they are two apps."
        case .numericPrefix:
            "Write the App ID Prefix, which is usually the Team ID: the developer account shows it beside the app."
        case .sampleRule: "Remove it unless the site has such links."
        case .defaultsOverPaths: "Write the rules as \"components\", which \"defaults\" are documented for."
        case .ruleWithoutPattern(_, let meant?, _): "Write the pattern in \"\(meant)\"."
        case .ruleWithoutPattern("paths", nil, _): "Write a rule for each path: {\"/\": \"/path\"}."
        case .ruleWithoutPattern(let name, nil, _) where KnownKeys.meansExclusion(name):
            "Write the path in \"/\", and \"exclude\": true beside it."
        case .ruleWithoutPattern(let name, nil, _):
            name.utf8.first == UInt8(ascii: "/") && !name.utf8.contains(UInt8(ascii: "#"))
                ? "Write the path as the value of \"/\": {\"/\": \"\(name)…\"}."
                : "Write the pattern in \"/\", \"?\" or \"#\", or write {\"/\": \"*\"} if every URL is meant."
        case .misspelledSection(_, let meant, _): "Write \"\(meant)\"."
        case .placeholderTeamID: "Replace it with your 10-character Team ID."
        case .patternInDefaults(let key): "Write \"\(key)\" in the rules that need it, and remove it here."
        case .severalPatterns(_, let isInPaths):
            isInPaths ? "Write each pattern as its own string in \"paths\"." : "Write a rule for each pattern."
        case .exclamationMark(let isInPaths):
            isInPaths
                ? "Write \"NOT \" and the path."
                : "Write the path alone, and \"exclude\": true beside it."
        case .openingWildcard: "Move that exclusion before this rule, or write a narrower pattern."
        case .overlappedExclusion: "Move this exclusion before that rule, or leave it if that is meant."
        case .appAndClip:
            "Write the App Clip's ID in \"appclips\": its bundle ID begins with the app's, and has one more part."
        case .assetLinks:
            "Serve it as /.well-known/assetlinks.json, and an object with \"applinks\" as the "
                + "apple-app-site-association file."
        }
    }
}
