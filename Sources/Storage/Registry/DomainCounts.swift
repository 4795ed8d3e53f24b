import Postgres

/// How many domains there are, counted up to a limit.
public struct DomainCounts: Hashable, Sendable {
    /// No count exceeds this. A count that reaches it stands for this many or more.
    public static let limit = 10_000

    /// The domains that match the filter of the list.
    public let matching: Int
    /// The domains of the organization with each problem.
    public let problems: [DomainProblem: Int]
}

extension TenantTransaction {
    /// The number of domains that match a filter, and of all domains with each problem.
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
