public import FoundationEssentials
import Postgres

/// A step of a publication.
public struct PublicationStep: Hashable, Sendable {
    /// The kind of step.
    public enum Kind: String, CaseIterable, Sendable {
        /// The publication was created.
        case made
        /// A worker started an attempt.
        case claimed
        /// The attempt failed and will be repeated. The cause has the reason.
        case postponed
        /// The final state. The cause has the reason, except for `live`.
        case live, failed, cancelled, superseded, suspended
    }

    /// The kind of step.
    public let kind: Kind
    /// The time of the step.
    public let at: Date
    /// The number of the attempt, from 1, or `nil` if the step belongs to no attempt.
    public let attempt: Int?
    /// The reason for the step, or `nil`.
    public let cause: String?
    /// For `postponed`, the due time of the next attempt.
    public let nextAt: Date?

    init(row: Row) throws {
        kind = try row.value("kind", Kind.init(rawValue:))
        at = try row.decode("at", as: Date.self)
        attempt = try row.decode("attempt", as: Int?.self)
        cause = try row.decode("cause", as: String?.self)
        nextAt = try row.decode("next_at", as: Date?.self)
    }
}

extension PublicationStep.Kind {
    init?(_ ending: Publication.State) {
        self.init(rawValue: ending.rawValue)
    }
}

extension TenantTransaction {
    /// The steps of each publication, oldest first. One statement reads the steps of all of them.
    public func steps(of ids: [ID<Publication>]) throws -> [ID<Publication>: [PublicationStep]] {
        let rows = try database.query(
            """
            select publication_id, kind, at, attempt, cause, next_at
            from publication_steps
            where organization_id = \(organization.uuid) and publication_id = any(\(ids.map(\.uuid)))
            order by publication_id, number
            """)
        return try rows.reduce(into: [:]) { steps, row in
            steps[try row.id("publication_id"), default: []].append(try PublicationStep(row: row))
        }
    }

    /// Adds a step. The caller must hold the lock on the publication's row.
    func addStep(
        _ kind: PublicationStep.Kind, of id: ID<Publication>, attempt: Int? = nil, cause: String? = nil,
        nextAt: Date? = nil
    ) throws {
        try database.execute(
            """
            insert into publication_steps (organization_id, publication_id, number, kind, attempt, cause, next_at)
            select \(organization.uuid), \(id.uuid), coalesce(max(number), 0) + 1, \(kind.rawValue), \(attempt), \(cause),
              \(nextAt)
            from publication_steps
            where organization_id = \(organization.uuid) and publication_id = \(id.uuid)
            """)
    }
}
