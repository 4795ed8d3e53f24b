import StrictJSON

/// Keys that people often write instead of Apple's keys.
enum KnownKeys {
    /// Keys that only Apple's own files use. Waymark must "never emit" them [REP].
    static let ofAppleAlone: Set = ["relativeOrder", "alwaysEnabled", "enabledByDefault", "requiredEntitlement"]

    /// Other words for a key that are too different to be typos of it.
    private static let synonyms: [String: [String]] = [
        "components": ["patterns", "rules", "urls", "routes"],
        "paths": ["patterns", "rules", "urls", "routes"],
        "appIDs": ["apps", "appids", "applications", "bundleids"],
        "details": ["detail", "entries"],
        "/": ["path", "pathname", "url", "uri", "route", "pattern"],
        "?": ["query", "querystring", "params"],
        "#": ["fragment", "hash", "anchor"],
        "exclude": [
            "not", "excluded", "excludes", "deny", "isexcluded", "exclusion", "exclusions", "excludepath",
            "excludepaths", "excludedpaths",
        ],
        "substitutionVariables": ["variables", "substitutions"],
    ]

    /// The key that was probably meant, or `nil` if no key is similar.
    static func meant(by name: String, among candidates: [String]) -> String? {
        // Too many names are one edit away from a key of one character: `/#` is not a typo for `/`.
        if let near = NearestName.of(name, among: candidates.filter { $0.utf8.count > 1 }) { return near }
        let word = Characters.trimmed(name).lowercased()
        if candidates.contains(word) { return word }
        return candidates.first { synonyms[$0]?.contains(word) ?? false }
    }

    /// Whether a key is `exclude` or another word for it.
    static func meansExclusion(_ name: String) -> Bool {
        name == "exclude" || meant(by: name, among: ["exclude"]) != nil
    }
}
