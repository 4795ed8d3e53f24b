public import StrictJSON

/// The editable state of a domain's file: Apple's structure under plain names, every rule with an ID of its own.
///
/// A draft holds what people mean, right or wrong: app IDs and patterns are text, and lint judges the file that
/// ``association()`` makes of it. Two drafts are equal when they say the same, byte for byte.
public struct Draft: Sendable {
    /// One element of `applinks.details`: apps and their ordered rules.
    public struct Entry: Sendable {
        /// 1 to 64 characters of `[A-Za-z0-9_-]`, unique in the draft.
        public let id: String
        /// The app IDs, in order; at most 255 bytes each.
        public var apps: [String]
        /// The rules, in order: the first that matches decides. Nil is no restriction at all (every URL), empty is none.
        public var rules: [Rule]?
        /// What rules that do not say otherwise say.
        public var defaults: RuleFields
        /// Keys that Waymark does not know, kept for the file.
        public var extras: JSONObject

        /// An entry.
        public init(
            id: String, apps: [String], rules: [Rule]?, defaults: RuleFields = RuleFields(), extras: JSONObject = [:]
        ) {
            self.id = id
            self.apps = apps
            self.rules = rules
            self.defaults = defaults
            self.extras = extras
        }
    }

    /// A name with strings: a substitution variable and its values, or a service and its apps.
    public struct StringList: Sendable {
        /// The name, unique by its bytes.
        public let name: String
        /// The strings, in order.
        public var values: [String]

        /// A name with strings.
        public init(name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// The oldest system to serve.
    public enum Compatibility: String, Sendable, CaseIterable {
        /// iOS 9 and later: also `apps: []`, and `appID` and `paths` in every entry. What `paths` cannot say is told by
        /// ``Draft/legacyLosses``.
        case ios9
        /// iOS 13 and later: components only.
        case ios13
    }

    /// The entries, in order: of several apps that match, the first opens.
    public var entries: [Entry]
    /// What all rules say that do not say otherwise.
    public var defaults: RuleFields
    /// What `$(name)` stands for.
    public var substitutionVariables: [StringList]
    /// The services other than `applinks`, each with its app IDs.
    public var services: [StringList]
    /// The oldest system to serve.
    public var compatibility: Compatibility
    /// Whether the file carries the rules' comments.
    public var publishComments: Bool
    /// Top-level keys that Waymark does not know, kept for the file. The members of an object under `applinks` go into
    /// the file's `applinks`.
    public var extras: JSONObject

    /// A draft; empty unless said.
    public init(
        entries: [Entry] = [], defaults: RuleFields = RuleFields(), substitutionVariables: [StringList] = [],
        services: [StringList] = [], compatibility: Compatibility = .ios13, publishComments: Bool = false,
        extras: JSONObject = [:]
    ) {
        self.entries = entries
        self.defaults = defaults
        self.substitutionVariables = substitutionVariables
        self.services = services
        self.compatibility = compatibility
        self.publishComments = publishComments
        self.extras = extras
    }

    /// Every app ID that the draft names, entries first, each once, in order.
    public var apps: [String] {
        var seen: Set<[UInt8]> = []
        return (entries.flatMap(\.apps) + services.flatMap(\.values)).filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// Puts one app ID in the place of another, in entries and services; tells how many places changed. Where the new
    /// one is there already, the old one goes.
    public mutating func replaceApp(_ old: String, with new: String) -> Int {
        var count = 0
        func replaced(_ apps: [String]) -> [String] {
            let hits = apps.count { $0.utf8.elementsEqual(old.utf8) }
            guard hits > 0 else { return apps }
            count += hits
            var seen: Set<[UInt8]> = []
            return apps.map { $0.utf8.elementsEqual(old.utf8) ? new : $0 }
                .filter { seen.insert(Array($0.utf8)).inserted }
        }
        for index in entries.indices { entries[index].apps = replaced(entries[index].apps) }
        for index in services.indices { services[index].values = replaced(services[index].values) }
        return count
    }
}

extension Draft: Hashable {
    /// Whether both say the same, byte for byte.
    public static func == (left: Draft, right: Draft) -> Bool { left.json == right.json }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
