public import AASA
import Postgres

/// The conditions for the domains of a list. A condition that is `nil` is not applied.
public struct DomainFilter: Hashable, Sendable {
    /// Only hosts with a word that begins with this text (``HostSearch``).
    public var search: String?
    /// Only domains with these hosts.
    public var hosts: [Host]?
    /// Only domains with this label.
    public var label: String?
    /// Only domains in this state.
    public var state: Domain.State?
    /// Only domains whose publication is pending, or was suspended or failed.
    public var publication: Domain.PublicationStanding?
    /// Only domains with this problem.
    public var problem: DomainProblem?

    /// Creates a filter. Without arguments, it includes all domains.
    public init(
        search: String? = nil, hosts: [Host]? = nil, label: String? = nil, state: Domain.State? = nil,
        publication: Domain.PublicationStanding? = nil, problem: DomainProblem? = nil
    ) {
        self.search = search
        self.hosts = hosts
        self.label = label
        self.state = state
        self.publication = publication
        self.problem = problem
    }
}

extension TenantTransaction {
    /// The conditions of a filter except its search.
    func conditions(of filter: DomainFilter) -> [ListCondition] {
        [
            filter.hosts.map { condition(hosts: $0) }, filter.publication.map { condition($0) },
            filter.problem.map { condition($0) }, filter.state.map { condition($0) },
            filter.label.map { condition(label: $0) },
        ].compactMap(\.self)
    }

    /// The hosts of a page of domains, and one more if there is a next page, in byte order.
    func hosts(of page: Page, _ filter: DomainFilter) throws -> [String] {
        try hosts(filter, after: page.after, limit: page.rowsToRead)
    }

    /// The first hosts that match a filter, in byte order.
    func hosts(_ filter: DomainFilter, after: String? = nil, limit: Int) throws -> [String] {
        let conditions = conditions(of: filter)
        guard let search = filter.search.map({ HostSearch($0, in: organization) }) else {
            return try hosts(KeyRange(after: after), conditions, limit: limit)
        }
        // Hosts that begin with the text are adjacent in the sorted list, so they are found as a range.
        let beginning = try search.beginning.map { beginning in
            try hosts(KeyRange(after: after, beginning: beginning), conditions, limit: limit)
        }
        let later = try hosts(KeyRange(after: after), conditions + [search.laterWords], limit: limit)
        let found = Set(later).union(beginning ?? [])
        return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit))
    }

    private func hosts(_ range: KeyRange, _ conditions: [ListCondition], limit: Int) throws -> [String] {
        try keys(
            of: "select host as key from domains where organization_id = \(organization.uuid)", in: range,
            matching: conditions, limit: limit)
    }

    private func condition(hosts: [Host]) -> ListCondition {
        let hosts = Set(hosts.map(\.description)).sorted()
        return ListCondition(
            keys: """
                select domains.host as key from unnest(\(hosts)::text[]) as named (host)
                cross join lateral (
                  select host from domains where organization_id = \(organization.uuid) and host = named.host limit 1
                ) as domains
                """,
            order: "domains.host collate \"C\"",
            test: "select where listed.key = any(\(hosts)::text[])", isNarrow: true)
    }

    /// The condition for domains with a problem. An index has their hosts in order.
    func condition(_ problem: DomainProblem) -> ListCondition {
        let matching: SQL = """
            from domain_states where organization_id = \(organization.uuid) and \(fragment: problem.condition)
            """
        return ListCondition(
            keys: "select host as key \(fragment: matching)", order: "host collate \"C\"",
            test: "select \(fragment: matching) and host collate \"C\" = listed.key", isOrdered: true)
    }

    private func condition(_ state: Domain.State) -> ListCondition {
        let matching: SQL = """
            from domain_states where organization_id = \(organization.uuid) and state = \(state.rawValue)
            """
        return ListCondition(
            keys: "select host as key \(fragment: matching)", order: "host collate \"C\"",
            test: "select \(fragment: matching) and host collate \"C\" = listed.key", isOrdered: true)
    }

    private func condition(label: String) -> ListCondition {
        let matching: SQL = "from domain_labels where organization_id = \(organization.uuid) and label = \(label)"
        return ListCondition(
            keys: "select host as key \(fragment: matching)", order: "host collate \"C\"",
            test: "select \(fragment: matching) and host collate \"C\" = listed.key", isOrdered: true)
    }

    /// The condition for domains with a pending or stopped publication. An index has these publications, which are few.
    /// A stopped publication counts only if no later version went live.
    private func condition(_ standing: Domain.PublicationStanding) -> ListCondition {
        switch standing {
        case .pending:
            let pending: SQL = """
                from publications where organization_id = \(organization.uuid) and state in ('scheduled', 'running')
                """
            return ListCondition(
                keys: "select host as key \(fragment: pending)", order: "host",
                test: "select \(fragment: pending) and host = listed.key", isNarrow: true)
        case .suspended, .failed:
            return ListCondition(
                keys: """
                    select host as key from publications
                    where organization_id = \(organization.uuid) and state in ('suspended', 'failed')
                    """,
                order: "host",
                test: """
                    select from (
                      select ended.state from publications as ended
                      left join claims on claims.organization_id = ended.organization_id and claims.host = ended.host
                      where ended.organization_id = \(organization.uuid) and ended.host = listed.key
                        and ended.state in ('suspended', 'failed')
                        and ended.ended_at > coalesce(claims.live_since, '-infinity')
                      order by ended.ended_at desc, ended.id
                      limit 1
                    ) as stopped
                    where stopped.state = \(standing.rawValue)
                    """,
                isRough: true, isNarrow: true)
        }
    }
}
