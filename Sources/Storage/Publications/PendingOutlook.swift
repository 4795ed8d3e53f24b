import FoundationEssentials

/// What is pending on one domain, in order, and the expected result for each. An item goes live only if the version
/// that it was made for is live by then, unless it overrides.
struct PendingOutlook {
    /// A publication or a release.
    struct Item: Hashable {
        enum Kind: String {
            case publication
            case release
        }

        let kind: Kind
        let id: UUID
        /// "version 3", or a release's message.
        let name: String
        /// When it is due; `nil` for now.
        let dueAt: Date?
        /// When it was requested.
        let madeAt: Date
        let overrides: Bool
        /// The publication that it waits for, which may have ended.
        var follows: UUID?
        /// Whether it rolls back the publication that it follows.
        var isRevert = false
        /// The activation that was live when it was made. If it follows another publication, the activation of that
        /// one.
        var madeAgainst: Int64?
        /// Whether a freeze stops it.
        var isFrozen = false
        /// Whether another item takes its place.
        var isReplaced = false
    }

    /// The expected result of an item.
    enum Fate: Equatable {
        case live
        /// It ends without going live. `because` is the reason, unless it is a freeze, which is reported separately.
        case stopped(because: String?)
    }

    /// The items in the order of their due times.
    let items: [Item]
    /// The expected result of each.
    let fates: [UUID: Fate]

    /// - Parameter live: the activation that is live.
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

    /// Why an item will not go live; `nil` if it will, or if a freeze stops it.
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

    /// Items that are due now come first.
    private static func place(_ item: Item) -> (Date, Date, String) {
        (item.dueAt ?? .distantPast, item.madeAt, item.id.uuidString)
    }
}
