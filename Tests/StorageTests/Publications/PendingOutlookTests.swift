import FoundationEssentials
import Testing

@testable import Storage

/// The expected results of pending items.
@Suite("The outlook of pending items")
struct PendingOutlookTests {
    private typealias Item = PendingOutlook.Item

    /// An item that is due at an hour, made in the order of its number for activation 1.
    private func item(
        _ number: Int, at hour: Int?, overrides: Bool = false, follows: Item? = nil, isRevert: Bool = false,
        madeAgainst: Int64? = 1, kind: Item.Kind = .publication
    ) -> Item {
        Item(
            kind: kind, id: UUID(), name: "version \(number)",
            dueAt: hour.map { Date(timeIntervalSince1970: Double($0) * 3_600) },
            madeAt: Date(timeIntervalSince1970: Double(number)), overrides: overrides, follows: follows?.id,
            isRevert: isRevert, madeAgainst: madeAgainst)
    }

    private func blockedReasons(_ items: [Item], live: Int64? = 1) -> [String?] {
        let outlook = PendingOutlook(items, live: live)
        return items.map { outlook.blockedReason(of: $0.id) }
    }

    @Test("followers of items that go live go live too, in the order of time")
    func chain() {
        let first = item(1, at: 1)
        let second = item(2, at: 2, follows: first)
        let back = item(3, at: 3, follows: second, isRevert: true)
        #expect(blockedReasons([back, second, first]) == [nil, nil, nil])
    }

    @Test("an item made for another live version is stopped with its followers, unless it overrides")
    func moved() {
        let first = item(1, at: 1, madeAgainst: 1)
        let second = item(2, at: 2, follows: first)
        let overriding = item(3, at: 3, overrides: true, follows: first)
        let back = item(4, at: 4, overrides: true, follows: second, isRevert: true)
        #expect(
            blockedReasons([first, second, overriding, back], live: 2) == [
                "another version went live after it was created",
                "it waits for version 1, which will not go live", nil,
                "it rolls back version 2, which will not go live",
            ])
        #expect(blockedReasons([first], live: nil) == ["the version it was based on is no longer live"])
    }

    @Test("an item that is made later and due earlier stops those that do not follow it")
    func overtaken() {
        let late = item(1, at: 5)
        #expect(blockedReasons([late, item(2, at: 4)]) == ["version 2 will go live before it", nil])
        let first = item(3, at: 1)
        let waiting = item(4, at: 3, follows: first)
        let between = item(5, at: 2, follows: first)
        #expect(
            blockedReasons([first, waiting, between]) == [
                nil, "version 5 will go live after version 3 and before it", nil,
            ])
        let release = item(6, at: 4, kind: .release)
        #expect(blockedReasons([late, release]) == ["version 6 will go live before it", nil])
    }

    @Test("a stopped item stops no other")
    func stoppedStopsNothing() {
        let doomed = item(1, at: 1, madeAgainst: 0)
        #expect(blockedReasons([doomed, item(2, at: 2)]).last == .some(nil))
        var frozen = item(3, at: 1)
        frozen.isFrozen = true
        var replaced = item(4, at: 1)
        replaced.isReplaced = true
        #expect(blockedReasons([frozen, item(5, at: 2)]) == [nil, nil])
        #expect(blockedReasons([replaced, item(6, at: 2)]).last == .some(nil))
    }

    @Test("items that are due now come first")
    func atOnce() {
        #expect(blockedReasons([item(1, at: 1), item(2, at: nil)]) == ["version 2 will go live before it", nil])
    }
}
