/// How certain an outcome is: as certain as the weakest rule that it depends on.
public enum Certainty: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Apple documents it, or Apple's own `swcutil` behaves that way.
    case documented
    /// Others report it for current systems; neither Apple nor `swcutil` confirms it.
    case reported
    /// Concluded from what is documented and observed.
    case inferred
    /// Not known, or the sources contradict each other.
    case unknown

    /// Whether the left one is more certain.
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
