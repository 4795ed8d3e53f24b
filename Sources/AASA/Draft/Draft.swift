public import StrictJSON

/// The editable form of a domain's file. It has Apple's structure with plain names, and each rule has an ID.
///
/// A draft accepts invalid app IDs and patterns. Lint reports them in the file that ``association()`` generates. Two
/// drafts are equal if all their texts are the same, byte for byte.
public struct Draft: Sendable {
    /// One element of `applinks.details`: apps and their ordered rules.
    public struct Entry: Sendable {
        /// 1 to 64 characters of `[A-Za-z0-9_-]`, unique in the draft.
        public let id: String
        /// The app IDs, in order; at most 255 bytes each.
        public var apps: [String]
        /// The rules, in order. The first matching rule decides. If `nil`, every URL opens; if empty, none does.
        public var rules: [Rule]?
        /// The default values for fields that a rule does not set.
        public var defaults: RuleFields
        /// Keys that Waymark does not know. They are copied to the generated file.
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
        /// iOS 9 and later: the file also has `apps: []`, and `appID` and `paths` in every entry.
        /// ``Draft/legacyLosses`` lists the rules that `paths` cannot express.
        case ios9
        /// iOS 13 and later: `components` only.
        case ios13
    }

    /// The entries, in order: if several apps match a URL, the first one opens it.
    public var entries: [Entry]
    /// The default values for fields that neither a rule nor its entry sets.
    public var defaults: RuleFields
    /// The values of each `$(name)`.
    public var substitutionVariables: [StringList]
    /// The services other than `applinks`, each with its app IDs.
    public var services: [StringList]
    /// The oldest version of iOS that the file supports.
    public var compatibility: Compatibility
    /// Whether the file contains the rules' comments.
    public var publishComments: Bool
    /// Top-level keys that Waymark does not know. They are copied to the generated file. An object under `applinks` is
    /// merged into the file's `applinks`.
    public var extras: JSONObject

    /// Creates a draft. By default it is empty.
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

    /// Every app ID in the draft, without duplicates: first those of the entries in order, then those of the services.
    public var apps: [String] {
        var seen: Set<[UInt8]> = []
        return (entries.flatMap(\.apps) + services.flatMap(\.values)).filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// Replaces an app ID with another in entries and services, and returns the number of changes. If an entry or a
    /// service already has the new ID, the old one is removed.
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
