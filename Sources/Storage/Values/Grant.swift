public import AASA
import Postgres
public import StrictJSON

/// A role in an organization, and the domains that it is limited to.
///
/// A limited role counts only for the domains with one of its labels. For everything else, its holder can only read.
public struct Grant: Hashable, Sendable {
    /// The roles that can be limited. A viewer only reads, and an administrator decides who has which role.
    public static let limitableRoles: [Role] = [.editor, .publisher]
    /// The maximum number of labels.
    public static let maximumLabels = 20

    /// The role.
    public let role: Role
    /// The labels of the domains for which the role counts, sorted. Empty if it counts for the entire organization.
    public let labels: [String]

    /// Creates a grant. The labels must be empty for a role that cannot be limited. Each counts once.
    public init(_ role: Role, labels: [String] = []) {
        self.role = role
        self.labels = labels.reduce(into: []) { if !$0.has($1) { $0.append($1) } }.sorted()
    }

    /// Compares labels by their bytes, as the database does.
    public static func == (first: Grant, second: Grant) -> Bool {
        first.role == second.role
            && first.labels.elementsEqual(second.labels) { $0.utf8.elementsEqual($1.utf8) }
    }

    init(row: Row, role: String = "role", labels: String = "role_labels") throws {
        self.init(
            try row.value(role, Role.init(rawValue:)), labels: try row.decode(labels, as: [String].self))
    }

    /// Whether the role does not count for the entire organization.
    public var isLimited: Bool { !labels.isEmpty }

    /// Whether the role can have these labels.
    public var isPossible: Bool { !isLimited || Self.limitableRoles.contains(role) }

    /// The grant for the audit trail.
    var detail: JSONObject {
        var detail: JSONObject = ["role": .string(role.rawValue)]
        if isLimited { detail["labels"] = .array(labels.map(JSONValue.string)) }
        return detail
    }
}

extension TenantTransaction {
    /// Checks that a grant reaches all these domains. Throws `notFound` for an absent one and `roleIsLimited`.
    public func require(_ grant: Grant, toReach hosts: [Host]) throws {
        try require(grant, toReach: "unnest(\(hosts.map(\.description))::text[]) as asked (host)") {
            _ = try domain($0)
        }
    }

    /// Checks that a grant reaches all domains of a choice. Throws `notFound` for an absent one and `roleIsLimited`.
    public func require(_ grant: Grant, toReach choice: DomainChoice) throws {
        switch choice {
        case .hosts(let hosts): try require(grant, toReach: hosts)
        case .label(let label): try require(grant, toReachLabel: label)
        }
    }

    /// Checks that a grant reaches the target of a schedule. Throws `notFound` and `roleIsLimited`.
    public func require(_ grant: Grant, toReach schedule: ID<Schedule>) throws {
        if grant.isLimited { try require(grant, toReach: self.schedule(schedule).settings.target) }
    }

    /// Checks that a grant reaches the target of a schedule. Throws `notFound` and `roleIsLimited`.
    public func require(_ grant: Grant, toReach target: Schedule.Target) throws {
        switch target {
        case .domain(let host): try require(grant, toReach: [host])
        case .label(let label): try require(grant, toReachLabel: label)
        }
    }

    /// Checks that a grant reaches all domains of a release. Throws `roleIsLimited`.
    public func require(_ grant: Grant, toReach release: ID<Release>) throws {
        try require(
            grant,
            toReach: """
                release_domains as asked where asked.organization_id = \(organization.uuid)
                and asked.release_id = \(release.uuid)
                """)
    }

    /// Checks that a grant reaches all domains that have a label, now and later. Throws `roleIsLimited`.
    ///
    /// - Parameter label: The label, or `nil` for all domains of the organization.
    public func require(_ grant: Grant, toReachLabel label: String?) throws {
        guard grant.isLimited else { return }
        guard let label else { throw StorageError.roleIsLimited(to: grant.labels, outside: "the entire organization") }
        guard grant.labels.has(label) else {
            throw StorageError.roleIsLimited(to: grant.labels, outside: "all domains with the label \(label)")
        }
    }

    /// - Parameters:
    ///   - asked: A table `asked` with the column `host`, and a condition or none.
    ///   - check: Checks the first host that the grant does not reach.
    private func require(_ grant: Grant, toReach asked: SQL, orThrow check: (Host) throws -> Void = { _ in }) throws {
        guard grant.isLimited else { return }
        let outside = try database.first(
            """
            select host from (select asked.host from \(fragment: asked)) as asked
            where not exists (
              select from domain_labels
              where domain_labels.organization_id = \(organization.uuid) and domain_labels.host = asked.host
                and domain_labels.label = any(\(grant.labels)))
            order by host
            limit 1
            """)
        guard let outside else { return }
        let host = try outside.host("host")
        try check(host)
        throw StorageError.roleIsLimited(to: grant.labels, outside: host.description)
    }
}
