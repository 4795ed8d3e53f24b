public import AASA
import Postgres

/// The domains of a release or a replacement.
public enum DomainChoice: Hashable, Sendable {
    /// The domains with these hosts. Aliases are not allowed.
    case hosts([Host])
    /// All domains with a label, without aliases.
    case label(String)
}

/// An invalid choice of domains.
public struct UnusableChoice: Error, Hashable, Sendable {
    /// A fault of the choice.
    public enum Fault: Hashable, Sendable {
        /// The organization has no such domain.
        case unknown(Host)
        /// The domain is an alias.
        case alias(Host)
        /// No domain has the label.
        case emptyLabel
        /// The number of domains with the label exceeds the limit for a release.
        case tooMany(Int)
        /// The number of domains with the app in drafts or tests exceeds the limit for a replacement.
        case tooManyDrafts(Int)
    }

    /// All faults. There is at least one.
    public let faults: [Fault]

    /// Creates the error from its faults.
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
                select domains.host from domain_labels
                join domains
                  on domains.organization_id = domain_labels.organization_id and domains.host = domain_labels.host
                where domain_labels.organization_id = \(organization.uuid) and domain_labels.label = \(label)
                  and domains.alias_of is null
                limit \(Release.maximumDomains + 1)
                """
            ).map { try $0.decode("host", as: String.self) }
            guard !hosts.isEmpty else { throw UnusableChoice(faults: [.emptyLabel]) }
            guard hosts.count <= Release.maximumDomains else {
                throw UnusableChoice(faults: [.tooMany(Release.maximumDomains)])
            }
            return hosts
        }
    }
}
