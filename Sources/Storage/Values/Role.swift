/// What a member or a token may do in its organization; each role may do all that the roles before it may.
public enum Role: String, CaseIterable, Comparable, Sendable {
    /// Reads everything of the organization.
    case viewer
    /// Changes teams, apps, domains and drafts.
    case editor
    /// Makes versions and publications.
    case publisher
    /// Manages members, tokens and settings.
    case admin
    /// Owns the organization.
    case owner

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Orders roles by what they may do.
    public static func < (first: Role, second: Role) -> Bool { first.rank < second.rank }
}
