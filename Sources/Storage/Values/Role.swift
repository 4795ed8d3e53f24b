/// The role of a member or a token in its organization. Each role includes the rights of all previous roles.
public enum Role: String, CaseIterable, Comparable, Sendable {
    /// Reads all data of the organization.
    case viewer
    /// Changes teams, apps, domains and drafts.
    case editor
    /// Saves versions and publishes.
    case publisher
    /// Manages members, tokens and settings.
    case admin
    /// Owns the organization.
    case owner

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Orders roles by their rights.
    public static func < (first: Role, second: Role) -> Bool { first.rank < second.rank }
}
