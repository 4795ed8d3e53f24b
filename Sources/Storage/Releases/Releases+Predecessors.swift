public import AASA
public import FoundationEssentials
import Postgres

/// An item that is scheduled on a domain of a release before the release is due.
///
/// The item suspends the release. If the release overrides, it replaces the item's version instead. A withdrawal
/// cancels the release in both cases. If the domain is not judged yet, the withdrawal makes the gate refuse the
/// release.
public struct ReleasePredecessor: Hashable, Sendable {
    /// The maximum number of predecessors in a response.
    public static let maximum = 20

    /// The kind.
    public enum Kind: String, CaseIterable, Sendable {
        /// A publication of one of the domains.
        case publication
        /// Another release with one of the domains.
        case release
        /// A schedule. It publishes the drafts that have changed.
        case schedule
        /// A withdrawal of one of the domains.
        case withdrawal
    }

    /// The kind of item.
    public let kind: Kind
    /// The ID of the publication, release, schedule or withdrawal.
    public let id: UUID
    /// The domain, or `nil` if several domains are possible.
    public let host: Host?
    /// The name of a schedule, or otherwise the item's message, which may be empty.
    public let name: String
    /// The due time. If the item is already due, the time when it became due.
    public let dueAt: Date
}

extension TenantTransaction {
    /// The items that will go live or be withdrawn on domains of a release before the release is due, if nothing else
    /// changes. Sorted by time, at most ``ReleasePredecessor/maximum``.
    ///
    /// The result is empty unless the release is scheduled, and is pending or was only judged. An unchanged domain
    /// counts unless the release overrides, because it must stay unchanged. A withdrawal of a domain that is not judged
    /// yet always counts.
    public func predecessors(of release: Release) throws -> [ReleasePredecessor] {
        guard let due = release.dueAt, !release.state.isEnding || release.state == .judged, try clock() < due else {
            return []
        }
        return try predecessors(
            on: """
                select host, state = 'unchanged' or state <> 'waiting' and not \(release.isDryRun) as is_judged
                from release_domains
                where organization_id = \(organization.uuid) and release_id = \(release.id.uuid)
                  and (state in ('waiting', 'passed', 'frozen') or state = 'unchanged' and not \(release.overrides))
                """, before: due, except: release.id)
    }

    /// The items that would precede a release of these domains, if it were created now and every domain had changes.
    /// Sorted by time, at most ``ReleasePredecessor/maximum``. Throws ``UnusableChoice``.
    public func predecessors(ofReleaseOf choice: DomainChoice, dueAt due: Date) throws -> [ReleasePredecessor] {
        let hosts = try hosts(of: choice)
        return try predecessors(
            on: "select chosen.host, false as is_judged from unnest(\(hosts)::text[]) as chosen (host)", before: due,
            except: nil)
    }

    /// The predecessors of a release.
    ///
    /// - Parameter hosts: A query for the release's domains, with the columns `host` and `is_judged`.
    private func predecessors(
        on hosts: SQL, before due: Date, except release: ID<Release>?
    ) throws -> [ReleasePredecessor] {
        try database.query(
            .replanned(
                """
                with own as (\(fragment: hosts)),
                labels as (
                  select distinct unnest(domains.labels) as label from own
                  join domains on domains.organization_id = \(organization.uuid) and domains.host = own.host
                )
                select 'publication' as kind, publications.id, publications.host, publications.message as name,
                  coalesce(publications.due_at, publications.created_at) as due_at
                from publications
                join own on own.host = publications.host
                where publications.organization_id = \(organization.uuid)
                  and publications.state in ('scheduled', 'running')
                  and (publications.due_at is null or publications.due_at <= \(due))
                union all
                select 'release', releases.id, null, releases.message, coalesce(releases.due_at, releases.created_at)
                from releases
                where releases.organization_id = \(organization.uuid) and releases.id is distinct from \(release?.uuid)
                  and releases.state in ('judging', 'scheduled', 'running') and not releases.dry_run
                  and (releases.due_at is null or releases.due_at <= \(due))
                  and exists (
                    select from release_domains as others
                    join own on own.host = others.host
                    where others.organization_id = \(organization.uuid) and others.release_id = releases.id
                      and others.state in ('waiting', 'passed', 'frozen'))
                union all
                select 'schedule', schedules.id, schedules.host, schedules.name, schedules.next_due_at
                from schedules
                where schedules.organization_id = \(organization.uuid) and schedules.state = 'active'
                  and schedules.next_due_at <= \(due)
                  and (schedules.host in (select own.host from own)
                    or schedules.label in (select labels.label from labels))
                union all
                select 'withdrawal', withdrawals.id, withdrawals.host, withdrawals.reason, withdrawals.due_at
                from withdrawals
                join own on own.host = withdrawals.host
                where withdrawals.organization_id = \(organization.uuid) and withdrawals.state = 'pending'
                  and (withdrawals.due_at <= \(due) or not own.is_judged)
                order by due_at, kind, id
                limit \(ReleasePredecessor.maximum)
                """)
        ).map(ReleasePredecessor.init(row:))
    }
}

extension ReleasePredecessor {
    fileprivate init(row: Row) throws {
        kind = try row.value("kind", Kind.init(rawValue:))
        id = try row.decode("id", as: UUID.self)
        host = try row.optional("host") { try Host($0) }
        name = try row.decode("name", as: String.self)
        dueAt = try row.decode("due_at", as: Date.self)
    }
}
