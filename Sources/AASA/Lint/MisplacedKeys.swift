import StrictJSON

/// The kinds of objects in a file. Each has its own keys.
enum KeyPlace {
    case root
    /// `applinks`.
    case applinks
    /// Any other service.
    case service
    /// An element of `applinks.details`.
    case entry
    /// An element of `components`, or `defaults`.
    case rule

    /// The place in words, for use after "in".
    var words: String {
        switch self {
        case .root: "the file's root"
        case .applinks: "\"applinks\""
        case .service: "this service"
        case .entry: "an entry"
        case .rule: "a rule"
        }
    }
}

extension KeyPlace {
    /// The behaviour of iOS if an object lacks a section, as a clause. `nil` if the key is not a section, or another
    /// key replaces it.
    func effect(ofMissing key: String, in object: JSONObject) -> String? {
        switch (self, key) {
        case (.applinks, "details"): "no app opens a link of this domain"
        case (.entry, "components") where object["paths"] == nil, (.entry, "paths") where object["components"] == nil:
            "the apps of this entry are reported to open every URL"
        default: nil
        }
    }
}

/// Apple's keys in objects where iOS does not read them: "unknown keys are ignored" [OBS].
enum MisplacedKeys {
    private static let flags: Set = ["caseSensitive", "percentEncoded", "exclude"]
    private static let parts: Set = ["/", "?", "#"]
    private static let ofEntries: Set = ["appIDs", "appID", "components", "paths"]
    private static let ofApplinks: Set = ["details", "substitutionVariables"]

    /// The finding for a key in the wrong place, with the correct place. `nil` if the key belongs nowhere.
    static func problem(_ name: String, _ value: JSONValue, in place: KeyPlace, services: [String]) -> FindingKind? {
        if place != .rule, KnownKeys.meansExclusion(name), value.bool == nil || name != "exclude" {
            return .misplacedKey(
                name, place: place.words, home: nil,
                remedy: "Write each exclusion as its own rule, above the rules that open the app: "
                    + "{\"/\": \"…\", \"exclude\": true}.")
        }
        guard let (home, remedy) = home(of: name, in: place, services) else { return nil }
        return .misplacedKey(name, place: place.words, home: home, remedy: remedy)
    }

    private static func home(
        of name: String, in place: KeyPlace, _ services: [String]
    ) -> (home: String, remedy: String)? {
        if place == .service, ofEntries.contains(name) || name == "details" {
            return ("\"applinks\"", "Name the apps in \"apps\".")
        }
        if flags.contains(name), place != .rule {
            let defaults = place == .entry ? "the entry's \"defaults\"" : "\"defaults\" of \"applinks\""
            return ("rules and in \"defaults\"", "Move it to the rule, or to \(defaults).")
        }
        if parts.contains(name), place != .rule {
            return ("rules", "Make it a rule: \"components\": [{\"\(name)\": …}].")
        }
        if ofEntries.contains(name), place != .entry {
            return ("entries", "Move it to an element of \"details\" in \"applinks\".")
        }
        if ofApplinks.contains(name), place != .applinks { return ("\"applinks\"", "Move it to \"applinks\".") }
        if name == "defaults", place == .root || place == .service || place == .rule {
            return ("\"applinks\" and in entries", "Move it to \"applinks\", or to an entry.")
        }
        if services.contains(name), place != .root { return ("the file's root", "Move it to the root of the file.") }
        return nil
    }
}
