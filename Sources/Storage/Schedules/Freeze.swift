public import FoundationEssentials
import Postgres

/// A freeze. It stops scheduled publications while it is active, for all domains or for the domains with a label.
public struct Freeze: Hashable, Sendable {
    /// The freeze's ID.
    public let id: ID<Freeze>
    /// The label of the frozen domains, or `nil` for all domains.
    public let label: String?
    /// The reason that the creator gave.
    public let reason: String
    /// The author who created the freeze.
    public let creator: Author
    /// The time when the freeze started.
    public let createdAt: Date
    /// The time when the freeze ends, unless a user lifts it earlier.
    public let endsAt: Date
    /// The time when a user lifted the freeze early, or `nil`.
    public let liftedAt: Date?
    /// The user who lifted the freeze, or `nil`.
    public let lifter: Author?
    /// Whether the freeze is active, by the database's clock.
    public let isCurrent: Bool

    init(row: Row) throws {
        id = try row.id("freeze_id")
        label = try row.decode("freeze_label", as: String?.self)
        reason = try row.decode("freeze_reason", as: String.self)
        creator = try row.author(kind: "freeze_creator_kind", name: "freeze_creator_name")
        createdAt = try row.decode("freeze_created_at", as: Date.self)
        endsAt = try row.decode("freeze_ends_at", as: Date.self)
        liftedAt = try row.decode("freeze_lifted_at", as: Date?.self)
        lifter =
            liftedAt == nil ? nil : try row.author(kind: "freeze_lifter_kind", name: "freeze_lifter_name")
        isCurrent = try row.decode("freeze_is_current", as: Bool.self)
    }

    /// The cause that is stored for publications, releases and runs that the freeze stops.
    public var cause: String {
        let of = label.map { "of \($0) " } ?? ""
        return "a freeze \(of)until \(endsAt.formatted(Date.ISO8601FormatStyle())) by \(creator.name) stops "
            + "scheduled publications: \(reason)"
    }

    /// The columns. Their names differ from a domain's columns, so that both can be selected together.
    static let columns: SQL = """
        freezes.id as freeze_id, freezes.label as freeze_label, freezes.reason as freeze_reason,
        freezes.creator_kind as freeze_creator_kind, freezes.creator_name as freeze_creator_name,
        freezes.created_at as freeze_created_at, freezes.ends_at as freeze_ends_at,
        freezes.lifted_at as freeze_lifted_at, freezes.lifter_kind as freeze_lifter_kind,
        freezes.lifter_name as freeze_lifter_name,
        (freezes.lifted_at is null and freezes.ends_at > clock_timestamp()) as freeze_is_current
        """

    /// The condition for active freezes, for ended ones, or for all (`nil`). Active freezes have their own index.
    static func condition(isCurrent: Bool?) -> SQL {
        switch isCurrent {
        case nil: ""
        case true?: "and lifted_at is null and ends_at > statement_timestamp()"
        case false?: "and (lifted_at is not null or ends_at <= statement_timestamp())"
        }
    }
}
