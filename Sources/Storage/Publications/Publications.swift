public import AASA
import FoundationEssentials
import Postgres

/// A filter for publications.
public enum PublicationFilter: Hashable, Sendable {
    /// Pending publications.
    case pending
    /// Publications in this state.
    case state(Publication.State)

    /// `pending`, or the name of a state, or `nil` for anything else.
    public init?(_ text: String) {
        if text == "pending" {
            self = .pending
        } else if let state = Publication.State(rawValue: text) {
            self = .state(state)
        } else {
            return nil
        }
    }

    /// The condition for this filter, written so that PostgreSQL can use the index of pending publications.
    fileprivate var condition: SQL {
        switch self {
        case .pending: "and state in ('scheduled', 'running')"
        case .state(let state): "and state = \(state.rawValue)"
        }
    }
}

extension Lookup<Set<ID<Publication>>> {
    /// The publications with these IDs that are pending.
    public static func pending(among ids: Set<ID<Publication>>) -> Self {
        Lookup { organization in
            """
            select id from publications
            where organization_id = \(organization.uuid) and id = any(\(ids.map(\.uuid)))
              \(fragment: PublicationFilter.pending.condition)
            """
        } decode: { rows in
            Set(try rows.map { ID(try $0.decode("id", as: UUID.self)) })
        }
    }
}

extension TenantTransaction {
    /// A domain's publications, newest first. The page's key is the ID of the last item on the previous page. Throws
    /// `notFound`.
    public func publications(
        _ host: Host, _ page: Page, _ filter: PublicationFilter? = nil
    ) throws -> Listing<Publication> {
        try requireDomain(host)
        return try publications(page, "and host = \(host.description) \(fragment: filter?.condition ?? "")")
    }

    /// The publications of the whole organization, newest first.
    public func publications(_ page: Page, _ filter: PublicationFilter? = nil) throws -> Listing<Publication> {
        try publications(page, filter?.condition ?? "")
    }

    private func publications(_ page: Page, _ condition: SQL) throws -> Listing<Publication> {
        return try list(page, key: \.id.description, reading: { try $0.map(Publication.init(row:)) }) { page in
            """
            select \(fragment: Publication.columns)
            from publications
            where organization_id = \(organization.uuid) \(fragment: condition)
              \(fragment: try page.newestFirst(of: "publications", Publication.self, in: organization))
            """
        }
    }

    /// Returns one publication of a domain. Throws `notFound` if it does not exist.
    public func publication(_ id: ID<Publication>, of host: Host) throws -> Publication {
        let row = try database.first(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and host = \(host.description) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "publication", key: id.description) }
        return try Publication(row: row)
    }

    /// The publication with this ID, or `nil` if it does not exist. Locks its row and its domain's row until the
    /// transaction ends. A change of a publication always needs the domain's lock, because the publications of a domain
    /// depend on each other. With a single lock, such changes cannot deadlock.
    public func lockedPublication(_ id: ID<Publication>) throws -> Publication? {
        _ = try database.query(
            """
            select domains.host from domains
            join publications
              on publications.organization_id = domains.organization_id and publications.host = domains.host
            where publications.organization_id = \(organization.uuid) and publications.id = \(id.uuid)
            for update of domains
            """)
        return try database.first(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and id = \(id.uuid)
            for update
            """
        ).map(Publication.init(row:))
    }
}
