extension FindingKind {
    /// The remedy, as a sentence for people.
    var remedy: String {
        switch self {
        case .unreadable(_, .page?):
            "Make the server return the JSON file at this address, without a sign-in and without redirects."
        case .unreadable(_, .empty?): "Write {\"applinks\": {…}}, or serve no file at this address."
        case .unreadable(_, .mail?): "Serve the unsigned JSON over HTTPS."
        case .unreadable(_, .frontMatter?):
            "Let the site generator process the file, or delete the front matter with both \"---\" lines."
        case .unreadable(_, .openString?): "Add a straight closing quotation mark (\"), or remove the opening one."
        case .unreadable(.invalidJSON, .curlyQuote?): "Replace all curly quotation marks with straight ones (\")."
        case .unreadable(.invalidJSON, .trailingComma?): "Remove the comma after the last element."
        case .unreadable(.invalidJSON, _):
            "Correct the JSON at this place. Comments and trailing commas are not allowed."
        case .unreadable(.rootIsNotAnObject, _): "Put everything into one object: {\"applinks\": {…}}."
        case .unreadable(.otherEncoding, _): "Save the file as UTF-8."
        case .unreadable(.signed, _), .unreadable(.damagedSignedFile, _), .signedPayload:
            "Serve the unsigned JSON over HTTPS."
        case .duplicateKey: "Keep one of the two, or merge their values into one."
        case .tooLarge, .nearlyTooLarge:
            "Merge rules with wildcards and substitution variables, move repeated keys to \"defaults\", "
                + "and remove comments and white space."
        case .noService: "Add \"applinks\" or another service. Service names are in lower case."
        case .wrongType(let wanted, _, _): "Write \(wanted)."
        case .malformedAppID:
            "Write your 10-character App ID Prefix (usually the Team ID), a period and the bundle ID: "
                + "ABCDE12345.com.example.app."
        case .entryWithoutApps(let unread):
            unread == nil
                ? "Name the apps in \"appIDs\", or remove the entry."
                : "Write \"appIDs\": [\"ABCDE12345.com.example.app\"]."
        case .emptyRules(let key):
            "Add a rule, remove \"\(key)\" if the apps should open every URL, or remove the entry."
        case .repeatedApp: "Give each app one entry with all of its rules."
        case .listedTwice: "Remove one of the two."
        case .unregisteredApp: "Check the spelling, or register the app."
        case .unknownKey: "Remove the key, unless another program reads it."
        case .misspelledKey(_, let meant), .misspelledSection(_, let meant, _): "Rename it to \"\(meant)\"."
        case .deadRule(let blocker): "Remove this rule, or move it above \(blocker) if it should be checked first."
        case .undefinedVariable: "Define the variable, or correct its name. Letter case counts."
        case .unterminatedVariable: "Add the \")\"."
        case .legacyDetails: "Make \"details\" an array of objects with \"appIDs\" and \"components\"."
        case .nonEmptyApps: "Name the apps in \"details\", and remove or empty \"apps\"."
        case .ignoredPaths: "Remove \"paths\", or add the keys that iOS 9 to 12 need."
        case .notFullyAnalysed: "Use fewer rules, variables with fewer values, or patterns with fewer wildcards."
        case .ignoredAppID: "Add the app to \"appIDs\", or remove \"appID\"."
        case .placeholderAppID: "Replace it with your own Team ID and bundle ID."
        case .contradictedRule(_, _, _, let item?):
            "Write \"?*\" at \(item) if that rule is only for URLs that have the item."
        case .contradictedRule(let earlier, _, _, nil): "Move this rule above \(earlier), or remove it."
        case .redundantRule: "Remove this rule, unless it should be checked first."
        case .fragmentInPath(let isInPaths):
            isInPaths
                ? "Write only the path. Fragments can be matched only in \"components\"."
                : "Write the text after \"#\" as the pattern of \"#\", without the mark."
        case .spaceAtEnd: "Remove the white space."
        case .unencodedCharacter(_, let encoded, place: .components):
            "Write \(encoded), or set \"percentEncoded\" to false."
        case .unencodedCharacter(_, let encoded, _): "Write \(encoded)."
        case .queryInPath(let isInPaths):
            isInPaths
                ? "Write only the path, which matches with any query. Queries can be matched only in \"components\"."
                : "Write the query items in \"?\": {\"name\": \"pattern\"}. A path alone matches with any query."
        case .urlInPath(_, excludesAll: true):
            "Remove this rule. Without the host it would exclude every page, and other hosts have their own files."
        case .urlInPath: "Write only the path, from its first slash."
        case .encodedPattern: "Write the decoded characters, or remove \"percentEncoded\"."
        case .unrestrictedEntry(let unread):
            unread == nil
                ? "Add \"components\": [{\"/\": \"*\"}] if the apps should open every URL. Otherwise add their rules."
                : "Write the rules as \"components\": [{\"/\": \"/path\"}] in the entry."
        case .incompleteForOldSystems:
            "Add the missing keys, or write only \"appIDs\" and \"components\" if iOS 12 and earlier do not matter."
        case .pathsDisagree:
            "Make \"paths\" match \"components\", or remove \"paths\" if iOS 12 and earlier do not matter."
        case .pathsSayLess:
            "Remove the patterns that open too many URLs from \"paths\", and use \"NOT\" to exclude the URLs that must "
                + "open in the browser."
        case .emptyService("applinks"): "Add \"details\", or remove \"applinks\"."
        case .emptyService(let name): "Write \"apps\": [\"ABCDE12345.com.example.app\"], or remove \"\(name)\"."
        case .privateKey: "Remove the key."
        case .backslash: "Write \"?\" for a character that you cannot write, or write it percent-encoded."
        case .leadingMark(let mark, _): "Remove the leading \"\(mark)\"."
        case .optionalQueryItem(let name, _): "Write \"?*\" if \(name) is required, or remove this condition."
        case .literalQueryName: "Write each name exactly as your URLs have it, one key for each name."
        case .wildcardAfterName(let bare):
            "Write \"/?*\" to match only the paths below, or \"*\" to match \(bare) itself too."
        case .shortPath(let text):
            text.isEmpty ? "Write \"/\" for the root, or \"*\" for every path." : "Write the path with its first slash."
        case .doubleStar(isWhole: true, excludes: true): "Remove this rule, or write the path that you want to exclude."
        case .doubleStar: "Write \"*\"."
        case .malformedNot, .exclamationMark(isInPaths: true): "Write \"NOT \" and then the path."
        case .notInComponents, .exclamationMark(isInPaths: false): "Write only the path, and add \"exclude\": true."
        case .foldedQueryName: "Write the name exactly as your URLs have it, and do not rely on other spellings."
        case .localeVariable(_, let isCaseOpen):
            isCaseOpen ? "Set \"caseSensitive\" to false." : "List the codes that you use in a variable of your own."
        case .variableInPaths: "Use \"components\" for patterns with variables."
        case .variableName: "Choose a name without these characters."
        case .nestedVariable: "Write out the values."
        case .shadowingVariable: "Choose another name."
        case .unusedVariable: "Remove it."
        case .emptyVariable: "Add a value, or remove the rules that use it."
        case .decodedSlash: "Remove \"percentEncoded\" from this rule if that matters."
        case .evadableExclude(let evasions, _, _) where evasions.allSatisfy { $0.way == .repetition }:
            "No pattern for an item prevents this. Remove \"?\" if the path must open in the browser with any query."
        case .evadableExclude(_, _, isInPaths: true):
            "Write the rules as \"components\", where \"caseSensitive\" and \"percentEncoded\" can be false."
        case .evadableExclude: "Set \"caseSensitive\" and \"percentEncoded\" to false for this exclusion."
        case .overlappingApps(_, _, _, isOrdered: false):
            "Make \"details\" an array, whose order counts, or exclude in one entry the URLs that the other opens."
        case .overlappingApps: "Check the order of the entries, or exclude in one entry the URLs that the other opens."
        case .sensitiveLink: "If your site has such links, exclude them before this rule."
        case .lostOnOldSystems:
            "Leave it if such links may open in the browser there. Otherwise write the rule with a path only."
        case .headroom: "Save bytes while there is time: Apple's systems ignore a file over the limit completely."
        case .opensNothing(let remedy), .misplacedKey(_, _, _, let remedy): remedy
        case .idleExclusion:
            "If the rules that it should restrict are above it, move it above them. "
                + "Otherwise keep it as a safeguard, or remove it."
        case .foreignSyntax(let syntax): syntax.remedy
        case .brokenEscape: "Write %25 for a percent sign."
        case .unusualEscape(_, let usual): "Write \"\(usual)\"."
        case .bracketedName(let name, let encoded):
            "Check which spelling your links have, or write a rule for \"\(name)\" and one for \"\(encoded)\"."
        case .queryAsText(let item, _, _): "Write {\"\(item)\": \"?*\"} to match the item anywhere in the query."
        case .byteOrderMark: "Save the file as UTF-8 without a byte order mark."
        case .emptyValue: "Remove it, unless you want the variable to be optional."
        case .narrowQueryItem: "Write \"?*\" to match any value, or leave this if it is intended."
        case .similarAppIDs: "Write the same ID in both places, or leave them if they are two apps."
        case .numericPrefix:
            "Write the App ID Prefix, which is usually the Team ID. The developer account shows it beside the app."
        case .sampleRule: "Remove it, unless your site has such links."
        case .defaultsOverPaths: "Write the rules as \"components\", for which \"defaults\" are documented."
        case .ruleWithoutPattern(_, let meant?, _): "Write the pattern in \"\(meant)\"."
        case .ruleWithoutPattern("paths", nil, _): "Write one rule for each path: {\"/\": \"/path\"}."
        case .ruleWithoutPattern(let name, nil, _) where KnownKeys.meansExclusion(name):
            "Write the path in \"/\", and add \"exclude\": true."
        case .ruleWithoutPattern(let name, nil, _):
            name.utf8.first == UInt8(ascii: "/") && !name.utf8.contains(UInt8(ascii: "#"))
                ? "Write the path as the value of \"/\": {\"/\": \"\(name)…\"}."
                : "Write the pattern in \"/\", \"?\" or \"#\", or write {\"/\": \"*\"} to match every URL."
        case .placeholderTeamID: "Replace it with your 10-character Team ID."
        case .patternInDefaults(let key): "Write \"\(key)\" in the rules that need it, and remove it here."
        case .severalPatterns(_, let isInPaths):
            isInPaths ? "Write each pattern as its own string in \"paths\"." : "Write one rule for each pattern."
        case .openingWildcard(_, let exclusion):
            "Move \(exclusion) above this rule, or write a narrower pattern."
        case .overlappedExclusion(_, let opener):
            "Move this exclusion above \(opener), or leave it if this is intended."
        case .appAndClip:
            "Write the App Clip's ID in \"appclips\": its bundle ID is the app's, with one more part at the end."
        case .assetLinks:
            "Serve it as /.well-known/assetlinks.json, and an object with \"applinks\" as the "
                + "apple-app-site-association file."
        }
    }
}
