public import AASA
import FoundationEssentials
import Postgres

/// Which publications of a list are wanted.
public enum PublicationFilter: Hashable, Sendable {
    /// Those that have not ended.
    case pending
    /// Those in a state.
    case state(Publication.State)

    /// `pending`, or the name of a state; `nil` for anything else.
    public init?(_ text: String) {
        if text == "pending" {
            self = .pending
        } else if let state = Publication.State(rawValue: text) {
            self = .state(state)
        } else {
            return nil
        }
    }

    /// The condition, written so that pending ones are found by their own index.
    fileprivate var condition: SQL {
        switch self {
        case .pending: "and state in ('scheduled', 'running')"
        case .state(let state): "and state = \(state.rawValue)"
        }
    }
}

extension Lookup<Set<ID<Publication>>> {
    /// Those of the publications that have not ended.
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
    /// A domain's publications, newest first; the page's key is the ID of the last one before it. Throws `notFound`.
    public func publications(
        _ host: Host, _ page: Page, _ filter: PublicationFilter? = nil
    ) throws -> Listing<Publication> {
        try requireDomain(host)
        return try publications(page, "and host = \(host.description) \(fragment: filter?.condition ?? "")")
    }

    /// The organization's publications, as above.
    public func publications(_ page: Page, _ filter: PublicationFilter? = nil) throws -> Listing<Publication> {
        try publications(page, filter?.condition ?? "")
    }

    private func publications(_ page: Page, _ condition: SQL) throws -> Listing<Publication> {
        let rows = try database.query(
            """
            select \(fragment: Publication.columns)
            from publications
            where organization_id = \(organization.uuid) \(fragment: condition)
              \(fragment: try page.newestFirst(of: "publications", Publication.self, in: organization))
            """)
        return Listing(reading: try rows.map(Publication.init(row:)), of: page, key: \.id.description)
    }

    /// One publication of a domain. Throws `notFound`.
    public func publication(_ id: ID<Publication>, of host: Host) throws -> Publication {
        let row = try database.first(
            """
            select \(fragment: Publication.columns) from publications
            where organization_id = \(organization.uuid) and host = \(host.description) and id = \(id.uuid)
            """)
        guard let row else { throw StorageError.notFound(kind: "publication", key: id.description) }
        return try Publication(row: row)
    }

    /// One publication, its row and its domain's locked until the transaction ends; `nil` when there is none. Whoever
    /// changes a publication holds its domain: those of a domain follow each other, and wait for nobody in a circle.
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
