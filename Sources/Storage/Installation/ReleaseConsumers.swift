import FoundationEssentials
import Postgres

extension Tenant {
    /// Consumers that have reported within a day, by name, at most 100: how many of the release's hosts each serves. One
    /// that holds back more hosts than it names counts as serving none.
    public func consumers(of release: Release) throws -> [ReleaseConsumer] {
        guard release.activation != nil else { return [] }
        return try database.query(
            """
            select consumers.name, consumers.kind, consumers.seen_at, (
                select count(*) from release_domains
                where release_domains.organization_id = \(organization.uuid)
                  and release_domains.release_id = \(release.id.uuid) and release_domains.state = 'live'
                  and release_domains.activation <= consumers.activation
                  and release_domains.host <> all(consumers.held)
                  and consumers.held_count <= cardinality(consumers.held)
              ) as domains
            from consumers
            where consumers.seen_at > now() - interval '1 day'
            order by consumers.name
            limit 100
            """
        ).map { row in
            ReleaseConsumer(
                name: try row.decode("name", as: String.self),
                kind: try row.value("kind", ConsumerReport.Kind.init(rawValue:)),
                domains: try row.decode("domains", as: Int.self), seenAt: try row.decode("seen_at", as: Date.self))
        }
    }
}
