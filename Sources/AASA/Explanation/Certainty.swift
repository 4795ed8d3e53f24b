/// The certainty of an outcome. It is that of the least certain rule that the outcome depends on.
public enum Certainty: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Apple documents it, or Apple's own `swcutil` behaves that way.
    case documented
    /// Others report it for current systems, but neither Apple nor `swcutil` confirms it.
    case reported
    /// Inferred from documented and observed behaviour.
    case inferred
    /// Unknown, or the sources contradict each other.
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
