/// A generation of Apple's systems. Each generation ignores the keys that a later one introduced.
public enum SystemVersion: String, Sendable, Hashable, CaseIterable, Comparable {
    /// iOS 9 to 12: `appID` and `paths` only.
    case ios9
    /// iOS 13.0 to 13.4, macOS 10.15.0 to 10.15.4: `appIDs`, `components`.
    case ios13
    /// iOS 13.5 to 13.7, macOS 10.15.6: `caseSensitive`, `substitutionVariables`.
    case ios13point5 = "ios13.5"
    /// iOS 14, macOS 11, watchOS 7 and later: `percentEncoded`, `defaults`.
    case ios14

    /// The generation that current devices run.
    public static let latest = SystemVersion.ios14

    /// Whether the left generation is older.
    public static func < (left: SystemVersion, right: SystemVersion) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .ios9: 9_00
        case .ios13: 13_00
        case .ios13point5: 13_05
        case .ios14: 14_00
        }
    }
}
