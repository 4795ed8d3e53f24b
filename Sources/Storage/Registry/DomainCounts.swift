import Postgres

/// The number of domains that match a filter, and the number with each problem. Counting stops at a limit.
public struct DomainCounts: Hashable, Sendable {
    /// The highest count. It means "this number or more".
    public static let limit = 10_000

    /// The number of domains that match the list's filter.
    public let matching: Int
    /// The number of the organization's domains with each problem.
    public let problems: [DomainProblem: Int]
}

extension TenantTransaction {
    /// Counts the domains that match a filter, and all domains with each problem.
    public func domainCounts(_ filter: DomainFilter) throws -> DomainCounts {
        let problems = try DomainProblem.allCases.map { problem in
            let counted = try database.only(
                """
                select count(*) as domains from (
                  select from domain_states
                  where organization_id = \(organization.uuid) and \(fragment: problem.condition)
                  limit \(DomainCounts.limit)
                ) as counted
                """)
            return (problem, try counted.decode("domains", as: Int.self))
        }
        return DomainCounts(
            matching: try hosts(filter, limit: DomainCounts.limit).count,
            problems: Dictionary(uniqueKeysWithValues: problems))
    }
}
