/// The certainty of an outcome: that of the least certain rule that the outcome depends on.
///
/// Comments name the source of a rule with a tag, such as [OBS]. The README of this module defines the tags.
public enum Certainty: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Apple documents the rule, or tests with Apple's `swcutil` show it. Tags in comments: [DOC], [OBS].
    case documented
    /// Others report the rule for current systems. Neither Apple's documentation nor `swcutil` confirms it. Tags:
    /// [REP], [COMM].
    case reported
    /// The rule follows from documented and observed behaviour. Tag: [INF].
    case inferred
    /// The rule is unknown, or the sources contradict each other. Tag: [UNK].
    case unknown

    /// Whether the left certainty is higher.
    public static func < (left: Certainty, right: Certainty) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .documented: 0
        case .reported: 1
        case .inferred: 2
        case .unknown: 3
        }
    }
}
