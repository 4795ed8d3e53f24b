public import AASA
import Postgres

/// The domains of a release or a replacement.
public enum DomainChoice: Hashable, Sendable {
    /// These hosts. None may be an alias.
    case hosts([Host])
    /// All domains with a label, without aliases.
    case label(String)
}

/// A choice of domains that is not valid.
public struct UnusableChoice: Error, Hashable, Sendable {
    /// A fault of the choice.
    public enum Fault: Hashable, Sendable {
        /// The organization has no such domain.
        case unknown(Host)
        /// The domain is an alias.
        case alias(Host)
        /// No domain has the label.
        case emptyLabel
        /// More domains have the label than the maximum for a release.
        case tooMany(Int)
        /// More domains have the app in drafts or tests than the maximum for a replacement.
        case tooManyDrafts(Int)
    }

    /// All faults; at least one.
    public let faults: [Fault]

    /// A choice with these faults.
    public init(faults: [Fault]) {
        self.faults = faults
    }
}

extension TenantTransaction {
    /// The hosts of a choice. Throws ``UnusableChoice``.
    func hosts(of choice: DomainChoice) throws -> [String] {
        switch choice {
        case .hosts(let hosts):
            let rows = try database.query(
                """
                select host, alias_of is not null as is_alias from domains
                where organization_id = \(organization.uuid) and host = any(\(hosts.map(\.description)))
                """)
            let isAlias = Dictionary(
                try rows.map { (try $0.decode("host", as: String.self), try $0.decode("is_alias", as: Bool.self)) },
                uniquingKeysWith: { first, _ in first })
            let faults = hosts.compactMap { host -> UnusableChoice.Fault? in
                switch isAlias[host.description] {
                case nil: .unknown(host)
                case true?: .alias(host)
                case false?: nil
                }
            }
            guard faults.isEmpty else { throw UnusableChoice(faults: faults) }
            return Array(isAlias.keys)
        case .label(let label):
            let hosts = try database.query(
                """
                select host from domains
                where organization_id = \(organization.uuid) and labels @> array[\(label)]::text[] and alias_of is null
                limit \(Release.mostDomains + 1)
                """
            ).map { try $0.decode("host", as: String.self) }
            guard !hosts.isEmpty else { throw UnusableChoice(faults: [.emptyLabel]) }
            guard hosts.count <= Release.mostDomains else {
                throw UnusableChoice(faults: [.tooMany(Release.mostDomains)])
            }
            return hosts
        }
    }
}
