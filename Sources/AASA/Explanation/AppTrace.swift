public import StrictJSON

/// The explanation of a URL's outcome for one app: every rule tried, in order.
public struct AppTrace: Hashable, Sendable {
    /// The app ID, its prefix in capital letters.
    public let app: String
    /// The app's entry in the file.
    public let entry: JSONPointer
    /// A remark for people on the entry, such as that it has no rules; nil if there is none.
    public let note: String?
    /// The rules tried, in order; the deciding one is last.
    public internal(set) var rules: [RuleTrace]
    /// How many rules come after the deciding one and were not tried.
    public let notTried: Int
    /// How many rules before the deciding one are not in ``rules``, because there are too many (``Limits``).
    public internal(set) var leftOut: Int
    /// If no rule matched, the rule that came closest. Rules are compared in this order: a rule that opens comes before
    /// one that excludes; then one whose path matches; then one with fewer parts that do not match; then one whose path
    /// agrees with the URL's path for longer; then the earlier one. Nil if no path agrees beyond its first slash.
    public let nearestMiss: JSONPointer?

    /// The limits of one evaluation's explanation, for all apps together.
    public enum Limits {
        /// Rules.
        public static let rules = 500
        /// Parts of one rule. If there are more, they include one that does not match.
        public static let parts = 100
        /// Bytes of all texts, approximately.
        public static let bytes = 262_144
        /// Characters of a pattern, text or comment. A longer one is cut and ends with ….
        public static let text = 512
        /// Steps of work: some tens of milliseconds.
        static let work = 3_000_000
    }
}

/// Why a rule matches or does not.
public struct RuleTrace: Hashable, Sendable {
    /// The rule in the file.
    public let pointer: JSONPointer
    /// Whether the URL matches it.
    public let matches: Bool
    /// Whether it excludes URLs.
    public let excludes: Bool
    /// Its comment.
    public let comment: String?
    /// Why it matches or does not, as a sentence for people.
    public let summary: String
    /// Its parts in the order path, query, fragment; empty if it has no patterns, or the limits are reached.
    public internal(set) var parts: [PartTrace]
}

/// Why a part of a rule matches or does not.
public struct PartTrace: Hashable, Sendable {
    /// The parts of a URL that rules have patterns for.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// The path.
        case path
        /// The whole query, or one of its items.
        case query
        /// The fragment.
        case fragment
    }

    /// A variable and the value that matched.
    public struct VariableUse: Hashable, Sendable {
        /// The variable's name.
        public let name: String
        /// The value, as written in the file.
        public let value: String
    }

    /// The part that was compared.
    public let part: Part
    /// The query item's name; nil for a whole part.
    public let name: String?
    /// The pattern as written in the file.
    public let pattern: String
    /// The pattern as it was compared, with slashes added and letters folded; nil if it is the same.
    public let compared: String?
    /// The text that it was compared with, with the letter case of the URL.
    public let text: String
    /// The values of the pattern's variables, if it matches.
    public let variables: [VariableUse]
    /// Whether it matches.
    public let matches: Bool
    /// Why, as a sentence for people.
    public let reason: String
}
