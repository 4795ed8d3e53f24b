import Postgres

/// Which part of a list is asked for: at most `limit` items that come after the key `after`.
public struct Page: Hashable, Sendable {
    /// The fewest and most items that a page may ask for.
    public static let limits = 1...200
    /// How many items a page has when nothing is said.
    public static let usualLimit = 50

    /// At most this many items.
    public let limit: Int
    /// The sort key of the last item of the page before; `nil` for the first page.
    public let after: String?

    /// A page; a limit outside ``limits`` is brought into them.
    public init(limit: Int = Page.usualLimit, after: String? = nil) {
        self.limit = min(max(limit, Page.limits.lowerBound), Page.limits.upperBound)
        self.after = after
    }

    /// One more row than asked for is read, to know whether a next page exists.
    var rowsToRead: Int { limit + 1 }

    /// The key, read as what its list is sorted by; `nil` for the first page. Throws `keyOfAnotherList`.
    func key<Key>(_ read: (String) -> Key?) throws(StorageError) -> Key? {
        guard let after else { return nil }
        guard let key = read(after) else { throw .keyOfAnotherList }
        return key
    }

    /// What ends the statement of a list that begins with the newest, behind its conditions: where the page begins, the
    /// order, and how much is read. The page's key is the ID of the last row before it. Throws `keyOfAnotherList`.
    ///
    /// - Parameters:
    ///   - table: where the rows are from; it has `organization_id` and `id`.
    ///   - time: the column by which they are sorted.
    func newestFirst<Item>(
        of table: SQL, _ item: Item.Type, by time: SQL = "created_at", in organization: ID<Organization>
    ) throws(StorageError) -> SQL {
        var start: SQL = ""
        if let last = try key({ ID<Item>($0) }) {
            start = """
                and (\(fragment: table).\(fragment: time), \(fragment: table).id) < (
                  select earlier.\(fragment: time), earlier.id from \(fragment: table) as earlier
                  where earlier.organization_id = \(organization.uuid) and earlier.id = \(last.uuid))
                """
        }
        return """
            \(fragment: start)
            order by \(fragment: table).\(fragment: time) desc, \(fragment: table).id desc
            limit \(rowsToRead)
            """
    }
}

/// A page's items, in order, and the key to go on from.
public struct Listing<Item: Sendable>: Sendable {
    /// The items.
    public let items: [Item]
    /// The sort key of the last item where more follow; otherwise `nil`.
    public let next: String?

    init(reading rows: [Item], of page: Page, key: (Item) -> String) {
        items = Array(rows.prefix(page.limit))
        next = rows.count > page.limit ? items.last.map(key) : nil
    }

    private init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// The same page of what is made of its items.
    func map<Made: Sendable>(_ make: (Item) throws -> Made) rethrows -> Listing<Made> {
        Listing<Made>(items: try items.map(make), next: next)
    }
}
