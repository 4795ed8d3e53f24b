public import StrictJSON

/// The explanation of a URL's outcome for one app: all tried rules, in order.
public struct AppTrace: Hashable, Sendable {
    /// The app ID. Its prefix is in capital letters.
    public let app: String
    /// The app's entry in the file.
    public let entry: JSONPointer
    /// A remark on the entry for people, for example that it has no rules. Usually `nil`.
    public let note: String?
    /// The tried rules, in order. The deciding rule is the last.
    public internal(set) var rules: [RuleTrace]
    /// The number of rules after the deciding rule. They were not tried.
    public let notTried: Int
    /// The number of tried rules that are missing in ``rules`` because of the ``Limits``.
    public internal(set) var leftOut: Int
    /// The rule that came closest to a match, if no rule matched. `nil` if no path agrees beyond its first slash.
    ///
    /// These rules are preferred, in this order: a rule that opens; a rule whose path matches; a rule with fewer parts
    /// that do not match; a rule whose path agrees with a longer part of the URL's path; an earlier rule.
    public let nearestMiss: JSONPointer?

    /// The limits of the explanation of one evaluation, for all apps together.
    public enum Limits {
        /// The maximum number of rules.
        public static let rules = 500
        /// The maximum number of parts of a rule. If a rule has more parts, a part that does not match is always
        /// included.
        public static let parts = 100
        /// The approximate maximum size of all texts, in bytes.
        public static let bytes = 262_144
        /// The maximum number of characters of a pattern, a text or a comment. A longer one is cut and ends with ….
        public static let text = 512
        /// The maximum number of steps: some tens of milliseconds.
        static let work = 3_000_000
    }
}

/// The explanation of one rule's result.
public struct RuleTrace: Hashable, Sendable {
    /// The rule in the file.
    public let pointer: JSONPointer
    /// Whether the URL matches the rule.
    public let matches: Bool
    /// Whether the rule excludes URLs.
    public let excludes: Bool
    /// The rule's comment.
    public let comment: String?
    /// The reason for the result, as a sentence for people.
    public let summary: String
    /// The rule's parts in the order path, query, fragment. Empty if the rule has no patterns or the limits are
    /// reached.
    public internal(set) var parts: [PartTrace]
}

/// The explanation of the result of one part of a rule.
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

    /// The compared part.
    public let part: Part
    /// The query item's name, or `nil` for a whole part.
    public let name: String?
    /// The pattern as written in the file.
    public let pattern: String
    /// The pattern in its form for comparison, with added slashes and folded letters. `nil` if it is the same as
    /// ``pattern``.
    public let compared: String?
    /// The text that the pattern was compared with, in the letter case of the URL.
    public let text: String
    /// The values of the pattern's variables, if the part matches.
    public let variables: [VariableUse]
    /// Whether the part matches.
    public let matches: Bool
    /// The reason for the result, as a sentence for people.
    public let reason: String
}
