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
