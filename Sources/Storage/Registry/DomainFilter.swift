import Postgres

/// Which domains of a list to show; with nothing set, all.
struct DomainFilter {
    /// Finds hosts with a word that begins with it (``HostSearch``).
    var search: String?
    /// A label of the domain.
    var label: String?
    /// The domain's state.
    var state: Domain.State?
    /// The kind of publication that the domain has.
    var publication: Domain.PublicationStanding?
}

extension TenantTransaction {
    /// The hosts of a page of domains and one more, in the order of their bytes.
    func hosts(of page: Page, _ filter: DomainFilter) throws -> [String] {
        let conditions = [
            filter.publication.map { condition($0) }, filter.state.map { condition($0) },
            filter.label.map { condition(label: $0) },
        ].compactMap(\.self)
        guard let search = filter.search.map({ HostSearch($0, in: organization) }) else {
            return try hosts(KeyRange(after: page.after), conditions, limit: page.rowsToRead)
        }
        // Hosts that begin with the text are together in the list.
        let beginning = try search.beginning.map { beginning in
            try hosts(KeyRange(after: page.after, beginning: beginning), conditions, limit: page.rowsToRead)
        }
        let later = try hosts(
            KeyRange(after: page.after), conditions + [search.laterWords], limit: page.rowsToRead)
        let found = Set(later).union(beginning ?? [])
        return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(page.rowsToRead))
    }

    private func hosts(_ range: KeyRange, _ conditions: [ListCondition], limit: Int) throws -> [String] {
        try keys(
            of: "select host as key from domains where organization_id = \(organization.uuid)", in: range,
            matching: conditions, limit: limit)
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

    /// There are few pending and stopped publications, and an index has them. A stopped publication only counts if no
    /// later version went live.
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
