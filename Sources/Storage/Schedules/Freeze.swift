public import FoundationEssentials
import Postgres

/// A freeze: scheduled publications stop while it lasts, for all domains or for those with a label.
public struct Freeze: Hashable, Sendable {
    /// The freeze's ID.
    public let id: ID<Freeze>
    /// The domains that it covers; `nil` for all.
    public let label: String?
    /// The reason.
    public let reason: String
    /// Who created it.
    public let creator: Author
    /// When it began.
    public let createdAt: Date
    /// When it ends.
    public let endsAt: Date
    /// When a user lifted it early.
    public let liftedAt: Date?
    /// Who lifted it.
    public let lifter: Author?
    /// Whether it is active, by the database's clock.
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

    /// The cause of what it stops, in words.
    public var cause: String {
        let of = label.map { "of \($0) " } ?? ""
        return "a freeze \(of)until \(endsAt.formatted(Date.ISO8601FormatStyle())) by \(creator.name) stops "
            + "scheduled publications: \(reason)"
    }

    /// The columns have names of their own, so that they can be selected together with those of a domain.
    static let columns: SQL = """
        freezes.id as freeze_id, freezes.label as freeze_label, freezes.reason as freeze_reason,
        freezes.creator_kind as freeze_creator_kind, freezes.creator_name as freeze_creator_name,
        freezes.created_at as freeze_created_at, freezes.ends_at as freeze_ends_at,
        freezes.lifted_at as freeze_lifted_at, freezes.lifter_kind as freeze_lifter_kind,
        freezes.lifter_name as freeze_lifter_name,
        (freezes.lifted_at is null and freezes.ends_at > clock_timestamp()) as freeze_is_current
        """
}
