import AASA
import FoundationEssentials
import Postgres

extension TenantTransaction {
    /// The progress of a release, and the effect of rolling it back.
    public func reach(of release: Release) throws -> ReleaseReach {
        guard release.activation != nil else { return .nowhere }
        return ReleaseReach(
            consumers: try consumers(of: release), buckets: try buckets(of: release),
            rollback: try rollback(of: release))
    }

    /// The consumers with a report in the last day, sorted by name; at most 100. For each, counts the release's hosts
    /// that it serves. The count is 0 if the consumer holds back more hosts than its report can list.
    private func consumers(of release: Release) throws -> [ReleaseConsumer] {
        try database.query(
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
    /// The buckets in use, sorted by name, at most 100, each with the number of the release's hosts that it has at both
    /// paths.
    private func buckets(of release: Release) throws -> [ReleaseBucket] {
        try database.query(
            """
            select sinks.name, sinks.listed_at, (
                select count(*) from release_domains
                where release_domains.organization_id = \(organization.uuid)
                  and release_domains.release_id = \(release.id.uuid) and release_domains.state = 'live'
                  and (
                    select count(*) from sink_objects
                    where sink_objects.sink = sinks.id and sink_objects.host = release_domains.host
                      and sink_objects.activation >= release_domains.activation) = 2
              ) as domains
            from (
              select distinct on (name) id, name, listed_at from sinks
              where seen_at > now() - interval '1 day'
              order by name, opened_at desc) as sinks
            order by sinks.name
            limit 100
            """
        ).map { row in
            ReleaseBucket(
                name: try row.decode("name", as: String.self), domains: try row.decode("domains", as: Int.self),
                comparedAt: try row.decode("listed_at", as: Date?.self))
        }
    }

    private func rollback(of release: Release) throws -> ReleaseRollback {
        let rows = try database.query(
            """
            select release_domains.host, count(*) over () as domains from release_domains
            where release_domains.organization_id = \(organization.uuid)
              and release_domains.release_id = \(release.id.uuid) and release_domains.state = 'live'
              and release_domains.version_before is not null
              and not exists (
                select from claims
                where claims.organization_id = release_domains.organization_id and claims.host = release_domains.host
                  and claims.domain = release_domains.host and claims.version is not null
                  and claims.activation = release_domains.activation)
            order by release_domains.host
            limit \(ReleaseRollback.shownMoves)
            """)
        let counted = try database.only(
            """
            select count(version_before) as back, count(*) - count(version_before) as staying from release_domains
            where organization_id = \(organization.uuid) and release_id = \(release.id.uuid) and state = 'live'
            """)
        return ReleaseRollback(
            back: try counted.decode("back", as: Int.self), staying: try counted.decode("staying", as: Int.self),
            moved: try rows.first?.decode("domains", as: Int.self) ?? 0,
            movedHosts: try rows.map { try $0.host("host") })
    }
}
