import Postgres

/// A page of a list: at most `limit` items after the key `after`.
public struct Page: Hashable, Sendable {
    /// The limits of a page.
    public static let limits = 1...200
    /// The default limit.
    public static let usualLimit = 50

    /// The maximum number of items.
    public let limit: Int
    /// The sort key of the last item on the previous page, or `nil` for the first page.
    public let after: String?
    /// True if the number of all items of the list is wanted.
    public let countsAll: Bool
    /// The number of rows to read: one more than the limit, to find out whether there is a next page.
    let rowsToRead: Int

    /// Counting the items of a list stops at this number.
    public static let maximumTotal = 10_000

    /// Creates a page. A limit outside ``limits`` is changed to the nearest allowed one.
    public init(limit: Int = Page.usualLimit, after: String? = nil, countsAll: Bool = false) {
        self.limit = min(max(limit, Page.limits.lowerBound), Page.limits.upperBound)
        self.after = after
        self.countsAll = countsAll
        rowsToRead = self.limit + 1
    }

    private init(rowsToRead: Int) {
        limit = Page.limits.upperBound
        after = nil
        countsAll = false
        self.rowsToRead = rowsToRead
    }

    /// The rows to count: all of the list, but at most ``maximumTotal``.
    static let counted = Page(rowsToRead: maximumTotal)

    /// Converts the key to the list's sort key. Returns `nil` for the first page. Throws `keyOfAnotherList`.
    func key<Key>(_ read: (String) -> Key?) throws(StorageError) -> Key? {
        guard let after else { return nil }
        guard let key = read(after) else { throw .keyOfAnotherList }
        return key
    }

    /// The end of a statement that lists rows from the newest to the oldest: the start of the page, the order, and the
    /// limit. The page's key is the ID of the last row on the previous page. Throws `keyOfAnotherList`.
    ///
    /// - Parameters:
    ///   - table: The table of the rows. It must have `organization_id` and `id`.
    ///   - time: The column to sort by.
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

/// The items of a page, in order, and the key of the next page.
public struct Listing<Item: Sendable>: Sendable {
    /// The items.
    public let items: [Item]
    /// The key of the last item if there is a next page, otherwise `nil`.
    public let next: String?
    /// The number of all items of the list, at most ``Page/maximumTotal``. `nil` if it was not wanted.
    public internal(set) var total: Int?

    init(reading rows: [Item], of page: Page, key: (Item) -> String) {
        items = Array(rows.prefix(page.limit))
        next = rows.count > page.limit ? items.last.map(key) : nil
    }

    /// Creates a page from its keys. The caller has read one key more than the page has. An item that no longer exists
    /// is left out.
    init(keys: [String], of page: Page, read: ([String]) throws -> [Item]) rethrows {
        try self.init(places: keys, of: page, key: \.self, read: read)
    }

    /// Creates a page from its places in an order. The caller has read one place more than the page has.
    init<Place>(
        places: [Place], of page: Page, key: (Place) -> String, read: ([Place]) throws -> [Item]
    ) rethrows {
        let shown = Array(places.prefix(page.limit))
        items = shown.isEmpty ? [] : try read(shown)
        next = places.count > page.limit ? shown.last.map(key) : nil
    }

    private init(items: [Item], next: String?, total: Int?) {
        self.items = items
        self.next = next
        self.total = total
    }

    /// The same page with its items converted.
    func map<Made: Sendable>(_ make: (Item) throws -> Made) rethrows -> Listing<Made> {
        Listing<Made>(items: try items.map(make), next: next, total: total)
    }
}

extension TenantTransaction {
    /// A page of a list, and the number of all its items if the page wants it.
    ///
    /// - Parameters:
    ///   - key: The key of an item.
    ///   - read: Converts rows to items.
    ///   - statement: The statement for the rows of a page. It must use the page's start and number of rows.
    func list<Item>(
        _ page: Page, key: (Item) -> String, reading read: ([Row]) throws -> [Item], _ statement: (Page) throws -> SQL
    ) throws -> Listing<Item> {
        var listing = Listing(reading: try read(database.query(statement(page))), of: page, key: key)
        if page.countsAll {
            listing.total = try database.only(
                "select count(*) as total from (\(fragment: statement(.counted))) as counted"
            ).decode("total", as: Int.self)
        }
        return listing
    }
}
