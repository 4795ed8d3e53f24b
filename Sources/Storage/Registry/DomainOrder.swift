import Postgres

/// The order of a list of domains.
public enum DomainOrder: String, CaseIterable, Sendable {
    /// By host, in byte order.
    case host
    /// By the minute of the draft's last change, latest first.
    case changed
    /// By the time of the live version, latest first. Domains without one come last.
    case published
    /// By the worst problem (``DomainProblem``), worst first. Domains without a problem come last.
    case problems

    /// The column to sort by. Domains with the same value are sorted by host. An index of `domain_states` has both.
    fileprivate var column: SQL {
        switch self {
        case .host: "0"
        case .changed: "changed_at"
        case .published: "live_since"
        case .problems: "problem"
        }
    }

    /// The condition that makes PostgreSQL use the index. All rows meet it.
    fileprivate var condition: SQL {
        switch self {
        case .host: "true"
        case .changed, .published: "\(fragment: column) > '-infinity'"
        case .problems: "problem > 0"
        }
    }

    /// The value of the column as a number, for ``DomainPlace/number``.
    fileprivate var number: SQL {
        switch self {
        case .host, .problems: "\(fragment: column)::bigint"
        case .changed, .published: "(extract(epoch from \(fragment: column)) * 1000000)::bigint"
        }
    }

    /// Converts a number back to a value of the column.
    fileprivate func value(_ number: Int64) -> SQL {
        switch self {
        case .host, .problems: "\(number)::smallint"
        case .changed, .published: "(timestamptz 'epoch' + \(number) * interval '1 microsecond')"
        }
    }

    fileprivate var isDescending: Bool { self == .changed || self == .published }
    fileprivate var direction: SQL { isDescending ? "desc" : "asc" }
}

/// The position of a domain in a sorted list.
struct DomainPlace {
    let order: DomainOrder
    /// The value of the order's column, as a number.
    let number: Int64
    let host: String

    /// The valid numbers: problems, or microseconds since 1970 up to the end of the year 9999.
    private static let numbers: ClosedRange<Int64> = 0...253_402_300_799_999_999

    init(order: DomainOrder, row: Row) throws {
        self.order = order
        number = try row.decode("number", as: Int64.self)
        host = try row.decode("key", as: String.self)
    }

    /// Reads ``key``. Returns `nil` for a key of another order.
    fileprivate init?(key: String, of order: DomainOrder) {
        let parts = key.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == order.rawValue, let number = Int64(parts[1]),
            Self.numbers.contains(number), order != .problems || number < 10
        else { return nil }
        self.order = order
        self.number = number
        host = String(parts[2])
    }

    /// The key for a page that starts after this place.
    var key: String { "\(order.rawValue) \(number) \(host)" }

    /// The condition on the rows after this place.
    fileprivate var condition: SQL {
        let comparison: SQL = order.isDescending ? "<" : ">"
        return """
            and (\(fragment: order.column), host collate "C") \(fragment: comparison) (\(fragment: order.value(number)), \(host))
            """
    }
}

extension TenantTransaction {
    /// The places of a page of domains, and one more if there is a next page. Like ``keys(of:in:matching:limit:)``, it
    /// reads few rows, unless every condition matches many domains and few domains match all conditions.
    func places(of page: Page, _ filter: DomainFilter, _ order: DomainOrder) throws -> [DomainPlace] {
        let start = try page.key { DomainPlace(key: $0, of: order) }
        let selection = PlaceSelection(
            organization: organization, order: order, start: start?.condition ?? "", limit: page.rowsToRead)
        let search = filter.search.map { HostSearch($0, in: organization).words }
        let conditions = conditions(of: filter) + [search].compactMap(\.self)
        func run(_ statement: SQL) throws -> [DomainPlace] {
            try database.query(.replanned(statement)).map { try DomainPlace(order: order, row: $0) }
        }
        guard !conditions.isEmpty else { return try run(selection.walk(limit: page.rowsToRead)) }
        let counts = try conditions.map(count)
        let fewest = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        if counts[fewest] == 0 { return [] }
        if counts[fewest] <= ListCondition.maximumCollected {
            return try run(selection.collected(conditions[fewest].firstKeys, conditions, from: fewest))
        }
        let candidates = selection.walk(limit: ListCondition.maximumTested)
        let found = try run(selection.tested(candidates, conditions.map(\.test)))
        if try found.count == page.rowsToRead || rows(of: candidates) < ListCondition.maximumTested { return found }
        return try run(selection.collected(conditions[fewest].keys, conditions, from: fewest))
    }
}

/// The statements that select the first places after the start of a page.
private struct PlaceSelection {
    let organization: ID<Organization>
    let order: DomainOrder
    /// The condition that limits the rows of `domain_states` to this page and later ones.
    let start: SQL
    let limit: Int

    /// Selects the first places of all domains from the index.
    func walk(limit: Int) -> SQL {
        """
        select host as key, \(fragment: order.number) as number from domain_states
        where organization_id = \(organization.uuid) and \(fragment: order.condition) \(fragment: start)
        order by \(fragment: order.column) \(fragment: order.direction), host collate "C" \(fragment: order.direction)
        limit \(limit)
        """
    }

    /// Selects the places that meet all tests, sorted.
    func tested(_ places: SQL, _ tests: [SQL]) -> SQL {
        """
        select listed.key, listed.number from (\(fragment: places)) as listed \(fragment: SQL.joined(tests))
        \(fragment: sorted)
        """
    }

    /// Selects the places of the keys of one condition, tests the other conditions, and sorts the result.
    func collected(_ keys: SQL, _ conditions: [ListCondition], from chosen: Int) -> SQL {
        let others = conditions.indices.filter { $0 != chosen || conditions[$0].isRough }
        let places: SQL = """
            select places.key, places.number
            from (select key from (\(fragment: keys)) as collected group by key) as named
            cross join lateral (
              select host as key, \(fragment: order.number) as number from domain_states
              where organization_id = \(organization.uuid) and host = named.key \(fragment: start)
              limit 1
            ) as places
            """
        return tested(places, others.map { conditions[$0].test })
    }

    private var sorted: SQL {
        """
        order by listed.number \(fragment: order.direction), listed.key collate "C" \(fragment: order.direction)
        limit \(limit)
        """
    }
}
