import ServiceLifecycle
import Snapshot
public import Storage

/// Follows the events of an organization: numbers the committed events, and waits for new ones.
public struct EventFeed: Sendable {
    /// Events, and the position to continue from.
    public struct Stretch: Sendable {
        /// The events, oldest first.
        public let events: [Event]
        /// All matching events up to this position have been returned.
        public let next: Int64
    }

    /// The position to continue from is after the newest one. The caller has read another database, or this one before
    /// a backup was restored.
    public struct UnknownPlace: Error, Hashable, Sendable {
        /// The newest position.
        public let newest: Int64
    }

    private let store: Store
    private let news: Watch<ID<Organization>, Int64, Int64>

    /// A feed over a store.
    ///
    /// - Parameter doorbell: rings when there may be new events. Not every change rings, because `notify` locks the
    ///   whole installation until the commit, which is too expensive for each change of a draft.
    public init(store: Store, doorbell: Doorbell = Doorbell()) {
        self.store = store
        news = Watch(doorbell: doorbell) { organization, _ in try await Self.newest(in: store, as: organization) }
    }

    /// Numbers all events that were committed before the call, and returns the newest position. If nobody has read for
    /// a long time, that takes several transactions.
    public func newest(as organization: ID<Organization>) async throws -> Int64 {
        try await Self.newest(in: store, as: organization)
    }

    private static func newest(in store: Store, as organization: ID<Organization>) async throws -> Int64 {
        var news = try await store.read(as: organization, .eventNews)
        while news.awaitsPlaces {
            let placed = try await store.write(as: organization, by: .system) { tenant in
                let placed = try tenant.placeEvents()
                ProcessFault.reach("events.placing")
                return placed
            }
            ProcessFault.reach("events.placed")
            news = try await store.read(as: organization, .eventNews)
            // Events that were committed since the call may wait.
            if placed < TenantTransaction.mostEventsPlacedAtOnce { break }
        }
        return news.newest
    }

    /// The events after a position: as soon as there are any, or none when the time is over, the task is cancelled or
    /// the service shuts down. Throws ``UnknownPlace``.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of events.
    ///   - aside: wraps the waiting.
    public func events(
        as organization: ID<Organization>, after position: Int64, limit: Int, _ filter: EventFilter = EventFilter(),
        wait: Duration = .zero, aside: (() async throws -> Void) async throws -> Void = { try await $0() }
    ) async throws -> Stretch {
        let deadline = ContinuousClock.now + wait
        var position = position
        while true {
            let newest = try await newest(as: organization)
            guard position <= newest else { throw UnknownPlace(newest: newest) }
            let (after, upTo) = (position, newest)
            let events =
                after == upTo
                ? []
                : try await store.read(as: organization) {
                    try $0.events(after: after, upTo: upTo, limit: limit, filter)
                }
            if let last = events.last {
                return Stretch(events: events, next: events.count < limit ? newest : last.position)
            }
            position = newest
            let left = deadline - .now
            guard left > .zero, !Task.isCancelled, !Task.isShuttingDownGracefully else {
                return Stretch(events: [], next: position)
            }
            try await aside {
                try await news.wait(for: organization, newest, atMost: left) { $0 > newest }
            }
        }
    }
}
