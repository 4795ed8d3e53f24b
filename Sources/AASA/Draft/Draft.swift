public import StrictJSON

/// The editable version of a domain's file. It has Apple's structure with plain names, and each rule has an ID.
///
/// A draft accepts invalid app IDs and patterns: lint reports them in the file that ``association()`` generates. Two drafts are equal when all their texts are the same, byte for byte.
public struct Draft: Sendable {
    /// One element of `applinks.details`: apps and their ordered rules.
    public struct Entry: Sendable {
        /// 1 to 64 characters of `[A-Za-z0-9_-]`, unique in the draft.
        public let id: String
        /// The app IDs, in order; at most 255 bytes each.
        public var apps: [String]
        /// The rules, in order: the first that matches decides. With nil, every URL opens; with an empty list, none does.
        public var rules: [Rule]?
        /// The values for fields that a rule does not have.
        public var defaults: RuleFields
        /// Keys that Waymark does not know. The generated file has them too.
        public var extras: JSONObject

        /// Creates an entry.
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

    /// A name and its strings: a substitution variable and its values, or a service and its apps.
    public struct StringList: Sendable {
        /// The name, unique by its bytes.
        public let name: String
        /// The strings, in order.
        public var values: [String]

        /// Creates a list.
        public init(name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// The oldest version of iOS that the file supports.
    public enum Compatibility: String, Sendable, CaseIterable {
        /// iOS 9 and later: the file also has `apps: []`, and `appID` and `paths` in every entry. ``Draft/legacyLosses``
        /// lists the rules that `paths` cannot express.
        case ios9
        /// iOS 13 and later: `components` only.
        case ios13
    }

    /// The entries, in order: if several apps match a URL, the first one opens it.
    public var entries: [Entry]
    /// The values for fields that neither a rule nor its entry's defaults have.
    public var defaults: RuleFields
    /// The values of each `$(name)`.
    public var substitutionVariables: [StringList]
    /// The services other than `applinks`, each with its app IDs.
    public var services: [StringList]
    /// The oldest version of iOS that the file supports.
    public var compatibility: Compatibility
    /// Whether the file includes the rules' comments.
    public var publishComments: Bool
    /// Top-level keys that Waymark does not know. The generated file has them too. The members of an object under
    /// `applinks` become members of the file's `applinks`.
    public var extras: JSONObject

    /// Creates a draft, empty by default.
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

    /// Every app ID in the draft, each once: those of the entries in order, then those of the services.
    public var apps: [String] {
        var seen: Set<[UInt8]> = []
        return (entries.flatMap(\.apps) + services.flatMap(\.values)).filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// Replaces an app ID with another in entries and services, and returns the number of changes. If an entry or a
    /// service has both, the old one is removed.
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
    /// Whether all texts are the same, byte for byte.
    public static func == (left: Draft, right: Draft) -> Bool { left.json == right.json }
    /// Hashes the same bytes that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
