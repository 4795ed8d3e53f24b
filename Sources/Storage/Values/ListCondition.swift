import Postgres

/// A condition on the rows of a list, in two forms: ``keys`` selects the matching rows, and ``test`` tests one row.
/// Each row has a key. Lists are sorted by the bytes of their keys.
struct ListCondition {
    /// A query for the `key` of every row that matches. A key may appear more than once.
    var keys: SQL
    /// The order in which an index returns ``keys``, or `nil` if no single index contains them.
    var order: SQL?
    /// A query that returns a row if `listed.key` matches. It must compare every column of an index, in the index's
    /// collation. Otherwise, with old statistics, PostgreSQL may read all rows that match the condition for each key.
    var test: SQL
    /// Whether the index returns ``keys`` in the order of the list, without duplicates.
    var isOrdered = false
    /// Whether ``keys`` also contains keys that do not match, so that each key must be tested.
    var isRough = false
    /// Whether the condition matches few rows in every organization.
    var isNarrow = false

    /// A query for the first keys in the order of the index. Its limit is one more than ``maximumCollected``, so that
    /// the caller sees whether there are more.
    var firstKeys: SQL {
        let order: SQL = order.map { "order by \(fragment: $0)" } ?? ""
        return "\(fragment: keys) \(fragment: order) limit \(Self.maximumCollected + 1)"
    }

    /// The maximum number of matching keys for which all of them are read and sorted.
    static let maximumCollected = 1_000
    /// The maximum number of keys that are tested one by one in the order of the list, before another plan is tried.
    static let maximumTested = 1_000
}

/// A range of keys, as bytes.
struct KeyRange {
    /// The key of the last row on the previous page.
    var after: String?
    /// The text that all keys begin with, and the first text that sorts after all such keys.
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
    /// The first keys of a list that match all conditions, in byte order.
    ///
    /// The number of rows that are read depends on the limits, not on the size of the list. There is one exception:
    /// every condition matches many rows, but few rows match all conditions.
    ///
    /// PostgreSQL plans the statements for their values, because the best plan depends on the number of rows that have
    /// a label.
    ///
    /// - Parameters:
    ///   - list: A query for the `key` of every row. An index must return them in order.
    ///   - conditions: The conditions; at most six.
    func keys(
        of list: SQL, in range: KeyRange, matching conditions: [ListCondition], limit: Int
    ) throws -> [String] {
        let first = KeySelection(range: range, limit: limit)
        guard let only = conditions.first else { return try run(first.keys(of: list)) }
        if conditions.count == 1, only.isOrdered { return try run(first.keys(of: only.keys)) }
        // If a condition matches few rows, all of them are read and sorted.
        let counts = try conditions.map(count)
        let fewest = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        if counts[fewest] == 0 { return [] }
        let isFew = counts[fewest] <= ListCondition.maximumCollected
        if let chosen = isFew ? fewest : conditions.firstIndex(where: \.isNarrow) {
            return try run(first.collected(conditions, from: chosen))
        }
        // If every condition matches many rows, the next row that matches all of them is usually near.
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

    /// The number of keys that a condition matches. Counting stops at one more than ``ListCondition/maximumCollected``.
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

    /// A query for the first keys that meet all tests.
    ///
    /// - Parameters:
    ///   - list: A query for each `key`, without duplicates.
    ///   - tests: Queries that return a row for a key that matches; at most six.
    func keys(of list: SQL, testing tests: [SQL] = []) -> SQL {
        """
        select listed.key from (\(fragment: list)) as listed \(fragment: SQL.joined(tests))
        where \(fragment: range.condition)
        order by listed.key collate "C"
        limit \(limit)
        """
    }

    /// A query for the first ``ListCondition/maximumTested`` keys of a list.
    func candidates(_ list: SQL) -> SQL {
        KeySelection(range: range, limit: ListCondition.maximumTested).keys(of: list)
    }

    /// A query for the keys of one condition, sorted and without duplicates, that meet the other conditions.
    func collected(_ conditions: [ListCondition], from chosen: Int) -> SQL {
        let others = conditions.indices.filter { $0 != chosen || conditions[$0].isRough }
        let sorted: SQL = """
            select key from (\(fragment: conditions[chosen].keys)) as collected group by key order by key collate "C"
            """
        return keys(of: sorted, testing: others.map { conditions[$0].test })
    }
}

extension SQL {
    /// Joins tests to `listed`; at most six. PostgreSQL runs each test for one key after another. With an ordinary
    /// join, it could read all rows that match the condition.
    static func joined(_ tests: [SQL]) -> SQL {
        let names: [SQL] = ["first_test", "second_test", "third_test", "fourth_test", "fifth_test", "sixth_test"]
        return zip(tests, names).reduce("") { joined, test in
            "\(fragment: joined) cross join lateral (\(fragment: test.0) limit 1) as \(fragment: test.1)"
        }
    }
}
