public import StrictJSON

/// How the outcome of a URL came about for one app: every rule tried, in order.
public struct AppTrace: Hashable, Sendable {
    /// The app ID, its prefix in capital letters.
    public let app: String
    /// Where the app's entry stands in the file.
    public let entry: JSONPointer
    /// What there is to say where no rule speaks, or beside the rules; nil if nothing.
    public let note: String?
    /// The rules tried, in order, the deciding one last.
    public internal(set) var rules: [RuleTrace]
    /// How many rules stand behind the deciding one and were not tried.
    public let notTried: Int
    /// How many rules are not in ``rules`` though they stand before the deciding one, because there are too many
    /// (``Limits``).
    public internal(set) var leftOut: Int
    /// Where no rule matched: the one that came nearest. First of all the rules that open rather than exclude; among
    /// those the ones whose path matches; among those the ones with the fewest parts that do not match; among those the
    /// one whose path agrees with the URL's for longest; else the first. Nil if not even the beginning of a path
    /// agrees, beyond its first slash.
    public let nearestMiss: JSONPointer?

    /// How much is told at most of one evaluation, all apps together.
    public enum Limits {
        /// Rules.
        public static let rules = 500
        /// Parts of one rule; where more are tried, one that does not match is among them.
        public static let parts = 100
        /// Bytes of all texts, roughly.
        public static let bytes = 262_144
        /// Characters of a pattern, text or comment; what is longer is cut, with … at its end.
        public static let text = 512
        /// Steps of work, some tens of milliseconds.
        static let work = 3_000_000
    }
}

/// How a rule fared.
public struct RuleTrace: Hashable, Sendable {
    /// Where it stands in the file.
    public let pointer: JSONPointer
    /// Whether the URL matches it.
    public let matches: Bool
    /// Whether it keeps URLs on the web.
    public let excludes: Bool
    /// Its comment.
    public let comment: String?
    /// How it fared, in a sentence for people.
    public let summary: String
    /// Its parts in the order path, query, fragment; none if it has no patterns, or all space is taken.
    public internal(set) var parts: [PartTrace]
}

/// How a part of a rule fared.
public struct PartTrace: Hashable, Sendable {
    /// The parts of a URL that rules speak of.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// The path.
        case path
        /// The query as a whole, or one of its items.
        case query
        /// The fragment.
        case fragment
    }

    /// A variable that stands for one of its values.
    public struct VariableUse: Hashable, Sendable {
        /// The variable's name.
        public let name: String
        /// The value, as the file has it.
        public let value: String
    }

    /// What was compared.
    public let part: Part
    /// The query item's name; nil for a whole part.
    public let name: String?
    /// The pattern as the file has it.
    public let pattern: String
    /// The pattern as it was compared, with slashes added and letters folded; nil if that is the same.
    public let compared: String?
    /// The text that it was compared with, its letters as the URL has them.
    public let text: String
    /// What the pattern's variables stand for, where it matches.
    public let variables: [VariableUse]
    /// Whether it matches.
    public let matches: Bool
    /// Why, in a sentence for people.
    public let reason: String
}
