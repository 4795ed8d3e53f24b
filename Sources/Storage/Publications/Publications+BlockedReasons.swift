public import AASA
public import FoundationEssentials
import Postgres

extension TenantTransaction {
    /// The reasons why pending publications would not go live if nothing else changes. A publication that nothing
    /// blocks has no entry. Freezes are not included.
    public func blockedReasons(of publications: [Publication]) throws -> [ID<Publication>: String] {
        let waiting = publications.filter(\.waitsForDueTime)
        let outlooks = try outlooks(of: Array(Set(waiting.map(\.host))))
        let unapproved = try lackingApproval(among: waiting)
        return waiting.reduce(into: [:]) { reasons, publication in
            reasons[publication.id] =
                outlooks[publication.host]?.blockedReason(of: publication.id.uuid)
                ?? unapproved[publication.id]?.cause
        }
    }

    /// The pending publication of a domain that will go live last before a time, if nothing else changes. `nil` if none
    /// will go live. Publications that an earlier item or a freeze will stop do not count. Locks the pending
    /// publications, unless the transaction only reads.
    public func lastPending(_ host: Host, before due: Date, locking: Bool) throws -> Publication? {
        let pending = try pendingPublications(host, locking: locking)
        let outlook = try outlooks(of: [host])[host]
        return pending.last { each in
            each.dueAt.map { $0 < due } ?? true && outlook?.fates[each.id.uuid] == .live
        }
    }

    /// The pending items of some domains. Domains without pending items are left out.
    func outlooks(of hosts: [Host]) throws -> [Host: PendingOutlook] {
        guard !hosts.isEmpty else { return [:] }
        let items = try pendingItems(of: hosts)
        let live = items.isEmpty ? [:] : try liveActivations(of: Array(items.keys))
        return Dictionary(uniqueKeysWithValues: items.map { ($0, PendingOutlook($1, live: live[$0])) })
    }

    /// The pending publications and judged releases on some domains.
    func pendingItems(of hosts: [Host]) throws -> [Host: [PendingOutlook.Item]] {
        let names = hosts.map(\.description)
        let publications = try database.query(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and host = any(\(names))
              and state in ('scheduled', 'running')
            """
        ).map(Publication.init(row:))
        let releases = try database.query(
            """
            select release_domains.host, release_domains.made_against, releases.id, releases.message, releases.due_at,
              releases.created_at, releases.overrides
            from release_domains
            join releases on releases.organization_id = release_domains.organization_id
              and releases.id = release_domains.release_id and releases.state in ('scheduled', 'running')
              and not releases.dry_run
            where release_domains.organization_id = \(organization.uuid) and release_domains.host = any(\(names))
              and release_domains.state in ('passed', 'frozen')
            """
        ).map { (try $0.host("host"), try PendingOutlook.Item(release: $0)) }
        let freezes = publications.isEmpty && releases.isEmpty ? [:] : try freezes(covering: hosts)
        var items: [Host: [PendingOutlook.Item]] = [:]
        for (host, item) in publications.map({ ($0.host, PendingOutlook.Item($0)) }) + releases {
            var item = item
            item.isFrozen = item.dueAt.map { due in freezes[host].map { due < $0.endsAt } ?? false } ?? false
            items[host, default: []].append(item)
        }
        return items
    }
}

extension PendingOutlook.Item {
    init(_ publication: Publication) {
        kind = .publication
        id = publication.id.uuid
        name = "version \(publication.version)"
        dueAt = publication.dueAt
        madeAt = publication.createdAt
        overrides = publication.overrides
        follows = publication.follows?.uuid
        isRevert = publication.reverts != nil
        madeAgainst = publication.madeAgainst
    }

    fileprivate init(release row: Row) throws {
        let message = try row.decode("message", as: String.self)
        kind = .release
        id = try row.decode("id", as: UUID.self)
        name = message.isEmpty ? "a release" : "the release “\(message.prefix(100))”"
        dueAt = try row.decode("due_at", as: Date?.self)
        madeAt = try row.decode("created_at", as: Date.self)
        overrides = try row.decode("overrides", as: Bool.self)
        madeAgainst = try row.decode("made_against", as: Int64?.self)
    }
}

extension Publication {
    fileprivate var waitsForDueTime: Bool { state == .scheduled && dueAt != nil }
}
