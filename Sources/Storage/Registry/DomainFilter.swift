import Postgres

/// Which domains of a list are wanted; with nothing set, all.
struct DomainFilter {
    /// Finds hosts in which a word begins with it (``HostSearch``).
    var search: String?
    /// A label of the domain.
    var label: String?
    /// The domain's state.
    var state: Domain.State?
    /// The kind of publication that the domain has.
    var publication: Domain.PublicationStanding?
}

/// One condition of a list of domains, in the two ways to apply it.
struct HostCondition {
    /// Selects `host` of every domain that it matches, some perhaps more than once.
    var hosts: SQL
    /// Selects a row if it matches `listed.host`.
    var test: SQL
    /// One index has `hosts` in the order of the list, each once.
    var isOrdered = false
    /// `hosts` has others too, so that each has to be tested.
    var isRough = false
    /// It matches few domains of any organization.
    var isNarrow = false

    /// The most hosts that are collected and sorted for a page. A condition that matches more is tested host by host in
    /// the order of the list: the next match is near then.
    static let mostCollected = 2_000
}

extension TenantTransaction {
    /// Selects the hosts of a page of domains and one more. The statement reads little besides: an index has the hosts in
    /// order, or they are few, or they are so many that the next one is near.
    func hosts(of page: Page, _ filter: DomainFilter) throws -> SQL {
        let search = filter.search.flatMap { HostSearch($0, in: organization) }
        let conditions = [
            filter.publication.map { condition($0) }, filter.state.map { condition($0) },
            filter.label.map { condition(label: $0) }, search?.both,
        ].compactMap(\.self)
        guard let only = conditions.first else {
            return page.hosts(of: "select host from domains where organization_id = \(organization.uuid)")
        }
        if conditions.count == 1 {
            if let search { return try hosts(of: page, search) }
            if only.isOrdered { return page.hosts(of: only.hosts) }
        }
        let counts = try conditions.map { try matches($0) }
        let fewest = counts.indices.min { counts[$0] < counts[$1] }
        if let number = fewest.flatMap({ counts[$0] <= HostCondition.mostCollected ? $0 : nil })
            ?? conditions.firstIndex(where: \.isNarrow)
        {
            let others = conditions.indices.filter { $0 != number || conditions[$0].isRough }
            // In the order of an index, or sorted: a plan for any value may expect too many to read the index.
            let (hosts, isOrdered) = (conditions[number].hosts, conditions[number].isOrdered)
            return page.hosts(of: isOrdered ? hosts : hosts.sortedHosts, testing: others.map { conditions[$0].test })
        }
        let walked = conditions.firstIndex(where: \.isOrdered) ?? 0
        let others = conditions.indices.filter { $0 != walked }
        return page.hosts(of: conditions[walked].hosts, testing: others.map { conditions[$0].test })
    }

    /// The hosts that begin with the text are together in the list. Those with a later word that does are collected if
    /// they are few, and found on the way otherwise.
    private func hosts(of page: Page, _ search: HostSearch) throws -> SQL {
        let areFew = try matches(search.laterWords) <= HostCondition.mostCollected
        let later =
            areFew
            ? page.hosts(of: search.laterWords.hosts.sortedHosts)
            : page.hosts(
                of: "select host from domains where organization_id = \(organization.uuid)",
                testing: [search.laterWords.test])
        let found: SQL = """
            (\(fragment: later))
            union all
            (\(fragment: page.hosts(of: search.beginnings.hosts)))
            """
        return page.hosts(of: found.sortedHosts)
    }

    /// How many hosts a condition matches, counted up to one more than are collected.
    private func matches(_ condition: HostCondition) throws -> Int {
        try database.only(
            """
            select count(*) as count
            from (\(fragment: condition.hosts) limit \(HostCondition.mostCollected + 1)) as counted
            """
        ).decode("count", as: Int.self)
    }

    private func condition(_ state: Domain.State) -> HostCondition {
        let matching: SQL = """
            from domain_states where organization_id = \(organization.uuid) and state = \(state.rawValue)
            """
        return HostCondition(
            hosts: "select host \(fragment: matching)", test: "select \(fragment: matching) and host = listed.host",
            isOrdered: true)
    }

    private func condition(label: String) -> HostCondition {
        let matching: SQL = "from domain_labels where organization_id = \(organization.uuid) and label = \(label)"
        return HostCondition(
            hosts: "select host \(fragment: matching)", test: "select \(fragment: matching) and host = listed.host",
            isOrdered: true)
    }
}

extension Page {
    /// The first hosts of this page and one more, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - hosts: selects each host once.
    ///   - tests: select a row for each host that is wanted; at most three.
    fileprivate func hosts(of hosts: SQL, testing tests: [SQL] = []) -> SQL {
        let names: [SQL] = ["first_test", "second_test", "third_test"]
        let joined = zip(tests, names).reduce("" as SQL) { joined, test in
            "\(fragment: joined) cross join lateral (\(fragment: test.0) limit 1) as \(fragment: test.1)"
        }
        return """
            select listed.host from (\(fragment: hosts)) as listed \(fragment: joined)
            where listed.host collate "C" > \(after ?? "")
            order by listed.host collate "C"
            limit \(rowsToRead)
            """
    }
}

extension SQL {
    /// The hosts that this statement selects, each once and in the order of the list, before anything else is done.
    fileprivate var sortedHosts: SQL {
        "select host from (\(fragment: self)) as collected group by host order by host collate \"C\""
    }
}
