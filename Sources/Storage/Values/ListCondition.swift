import Postgres

/// One condition of a list, in the two ways to apply it. A list's rows have keys, by which they are sorted as bytes.
struct ListCondition {
    /// Selects `key` of every row that matches, some perhaps more than once.
    var keys: SQL
    /// The order in which an index has ``keys``. `nil` if no single index has them.
    var order: SQL?
    /// Selects a row if `listed.key` matches. Every column of an index must be part of the comparison, in the collation
    /// of the index. Otherwise, with old statistics, PostgreSQL may read all matches of the condition for each key.
    var test: SQL
    /// The index has ``keys`` in the order of the list, and each once.
    var isOrdered = false
    /// ``keys`` also has keys that do not match, so that each must be tested.
    var isRough = false
    /// It matches few rows of any organization.
    var isNarrow = false

    /// The first keys in the order of the index, one more than are collected.
    var firstKeys: SQL {
        let order: SQL = order.map { "order by \(fragment: $0)" } ?? ""
        return "\(fragment: keys) \(fragment: order) limit \(Self.maximumCollected + 1)"
    }

    /// The maximum number of keys that are collected and sorted first.
    static let maximumCollected = 1_000
    /// The maximum number of keys that are tested in the order of the list.
    static let maximumTested = 1_000
}

/// A range of keys, as bytes.
struct KeyRange {
    /// The key of the last row of the page before.
    var after: String?
    /// The beginning of the keys, and the first text that sorts after all of them.
    var beginning: (start: String, end: String)?

    /// The condition on `listed.key`.
    fileprivate var condition: SQL {
        let after = after ?? ""
        guard let beginning else { return "listed.key collate \"C\" > \(after)" }
        let lower: SQL =
            after.utf8.lexicographicallyPrecedes(beginning.start.utf8)
            ? "listed.key collate \"C\" >= \(beginning.start)" : "listed.key collate \"C\" > \(after)"
        return "\(fragment: lower) and listed.key collate \"C\" < \(beginning.end)"
    }
}

extension TenantTransaction {
    /// The first keys of a list that match all conditions, in the order of their bytes. The number of rows that are
    /// read depends on the limits, not on the size of the list, with one exception: if every condition matches many
    /// rows and few match all of them.
    ///
    /// Statements are planned for their values, because the best plan depends on how many rows have a label.
    ///
    /// - Parameters:
    ///   - list: selects `key` of every row. An index has them in order.
    ///   - conditions: at most six.
    func keys(
        of list: SQL, in range: KeyRange, matching conditions: [ListCondition], limit: Int
    ) throws -> [String] {
        let first = KeySelection(range: range, limit: limit)
        guard let only = conditions.first else { return try run(first.keys(of: list)) }
        if conditions.count == 1, only.isOrdered { return try run(first.keys(of: only.keys)) }
        // A condition that matches few rows gives all of them, to be sorted.
        let counts = try conditions.map(count)
        let fewest = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        if counts[fewest] == 0 { return [] }
        let isFew = counts[fewest] <= ListCondition.maximumCollected
        if let chosen = isFew ? fewest : conditions.firstIndex(where: \.isNarrow) {
            return try run(first.collected(conditions, from: chosen))
        }
        // If all match many, the next match is usually near.
        let walked = conditions.firstIndex(where: \.isOrdered)
        let candidates = first.candidates(walked.map { conditions[$0].keys } ?? list)
        let others = conditions.indices.filter { $0 != walked }.map { conditions[$0].test }
        let found = try run(first.keys(of: candidates, testing: others))
        if try found.count == limit || rows(of: candidates) < ListCondition.maximumTested { return found }
        return try run(first.collected(conditions, from: conditions.firstIndex { !$0.isOrdered } ?? 0))
    }

    private func run(_ statement: SQL) throws -> [String] {
        try database.query(.replanned(statement)).map { try $0.decode("key", as: String.self) }
    }

    /// How many keys a condition matches, counted up to one more than are collected.
    func count(_ condition: ListCondition) throws -> Int { try rows(of: condition.firstKeys) }

    func rows(of statement: SQL) throws -> Int {
        try database.only(.replanned("select count(*) as count from (\(fragment: statement)) as counted"))
            .decode("count", as: Int.self)
    }
}

/// The statements that select the first keys of a range.
private struct KeySelection {
    let range: KeyRange
    let limit: Int

    /// - Parameters:
    ///   - list: selects `key`, each once.
    ///   - tests: select a row for each key that matches; at most six.
    func keys(of list: SQL, testing tests: [SQL] = []) -> SQL {
        """
        select listed.key from (\(fragment: list)) as listed \(fragment: SQL.joined(tests))
        where \(fragment: range.condition)
        order by listed.key collate "C"
        limit \(limit)
        """
    }

    /// The first keys of a list, as many as are tested.
    func candidates(_ list: SQL) -> SQL {
        KeySelection(range: range, limit: ListCondition.maximumTested).keys(of: list)
    }

    /// All keys of one condition, each once and sorted, and then tested.
    func collected(_ conditions: [ListCondition], from chosen: Int) -> SQL {
        let others = conditions.indices.filter { $0 != chosen || conditions[$0].isRough }
        let sorted: SQL = """
            select key from (\(fragment: conditions[chosen].keys)) as collected group by key order by key collate "C"
            """
        return keys(of: sorted, testing: others.map { conditions[$0].test })
    }
}

extension SQL {
    /// Joins of tests to `listed`, at most six. Each is made for one key after another: a join could read all matches of
    /// the condition.
    static func joined(_ tests: [SQL]) -> SQL {
        let names: [SQL] = ["first_test", "second_test", "third_test", "fourth_test", "fifth_test", "sixth_test"]
        return zip(tests, names).reduce("") { joined, test in
            "\(fragment: joined) cross join lateral (\(fragment: test.0) limit 1) as \(fragment: test.1)"
        }
    }
}
