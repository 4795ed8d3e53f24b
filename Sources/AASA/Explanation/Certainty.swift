/// How far an outcome is to be trusted: by the weakest rule that it rests on.
public enum Certainty: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Apple's documentation says so, or Apple's own `swcutil` was seen to do so.
    case documented
    /// Others report so of current systems; neither Apple nor `swcutil` confirms it.
    case reported
    /// Concluded from what is documented and observed.
    case inferred
    /// Nobody knows, or what is known contradicts itself.
    case unknown

    /// Whether the left one is to be trusted more.
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
