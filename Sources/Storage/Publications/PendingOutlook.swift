import FoundationEssentials

/// Predicts what happens to a domain's pending items, one after another. An item goes live only if the version that was
/// live when it was created is live at its due time, or if the item overrides.
struct PendingOutlook {
    /// A publication or a release.
    struct Item: Hashable {
        enum Kind: String {
            case publication
            case release
        }

        let kind: Kind
        let id: UUID
        /// "version 3", or the message of a release.
        let name: String
        /// The due time, or `nil` if it is due now.
        let dueAt: Date?
        /// The time of the request.
        let madeAt: Date
        let overrides: Bool
        /// The publication that it follows. That publication may have ended.
        var follows: UUID?
        /// Whether it rolls back the publication that it follows.
        var isRevert = false
        /// The live activation when the item was created. If it follows another publication, that publication's
        /// activation.
        var madeAgainst: Int64?
        /// Whether a freeze stops it.
        var isFrozen = false
        /// Whether another item replaces it.
        var isReplaced = false
    }

    /// The expected result of an item.
    enum Fate: Equatable {
        case live
        /// The item ends without going live. `because` is the reason, except for a freeze, which is reported
        /// separately.
        case stopped(because: String?)
    }

    /// The items, sorted by due time.
    let items: [Item]
    /// The expected result of each item.
    let fates: [UUID: Fate]

    /// - Parameters:
    ///   - items: The domain's pending items, in any order.
    ///   - live: The live activation, or `nil` if no version is live.
    init(_ items: [Item], live: Int64?) {
        let ordered = items.sorted { Self.place($0) < Self.place($1) }
        let names = Dictionary(items.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var fates: [UUID: Fate] = [:]
        var last: Item?
        for item in ordered {
            let fate: Fate
            if item.isReplaced {
                fate = .stopped(because: "another publication replaces it")
            } else if item.isFrozen {
                fate = .stopped(because: nil)
            } else if let before = item.follows, let name = names[before] {
                fate = Self.fate(of: item, after: before, named: name, isLive: fates[before] == .live, last)
            } else {
                fate = Self.fate(of: item, live: live, last)
            }
            fates[item.id] = fate
            if fate == .live { last = item }
        }
        self.items = ordered
        self.fates = fates
    }

    /// The reason why an item will not go live, or `nil` if it will go live or if a freeze stops it.
    func blockedReason(of id: UUID) -> String? {
        if case .stopped(let because) = fates[id] { because } else { nil }
    }

    private static func fate(
        of item: Item, after before: UUID, named name: String, isLive: Bool, _ last: Item?
    ) -> Fate {
        if !isLive, item.isRevert { return .stopped(because: "it rolls back \(name), which will not go live") }
        if item.overrides { return .live }
        if !isLive { return .stopped(because: "it waits for \(name), which will not go live") }
        guard let last, last.id != before else { return .live }
        return .stopped(because: "\(last.name) will go live after \(name) and before it")
    }

    private static func fate(of item: Item, live: Int64?, _ last: Item?) -> Fate {
        if item.overrides { return .live }
        if item.madeAgainst != live {
            return .stopped(
                because: live == nil
                    ? "the version it was based on is no longer live"
                    : "another version went live after it was created")
        }
        return last.map { .stopped(because: "\($0.name) will go live before it") } ?? .live
    }

    /// The sort key. Items that are due now come first.
    private static func place(_ item: Item) -> (Date, Date, String) {
        (item.dueAt ?? .distantPast, item.madeAt, item.id.uuidString)
    }
}
