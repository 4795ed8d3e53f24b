import ServiceLifecycle
import Snapshot
public import Storage

/// Reads the events of an organization in order, and waits for new ones. It also numbers events if no worker has
/// numbered them yet (``EventPlacer``).
public struct EventFeed: Sendable {
    /// Events, and the position to continue from.
    public struct Stretch: Sendable {
        /// The events, oldest first.
        public let events: [Event]
        /// The position up to which all matching events have been returned.
        public let next: Int64
    }

    /// The given position is after the newest event. So the caller read it from another database, or from this one
    /// before a backup was restored.
    public struct UnknownPlace: Error, Hashable, Sendable {
        /// The newest position.
        public let newest: Int64
    }

    private let store: Store
    private let news: Watch<ID<Organization>, Int64, Int64>

    /// Creates a feed for a store.
    ///
    /// - Parameter doorbell: Rings when there may be new events. It does not ring for every change: `notify` takes a
    ///   lock of the whole installation until the commit, which is too expensive for each change of a draft.
    public init(store: Store, doorbell: Doorbell = Doorbell()) {
        self.store = store
        news = Watch(doorbell: doorbell) { organization, _ in try await Self.newest(in: store, as: organization) }
    }

    /// Numbers all events that were committed before the call. Returns the newest position. If no worker has run for a
    /// long time, this takes several transactions.
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
            // All events from before the call are numbered. Later ones can wait.
            if placed < TenantTransaction.maximumEventsPlacedAtOnce { break }
        }
        return news.newest
    }

    /// Returns the events after a position, or waits for new ones. Returns an empty list if the time is over, the task
    /// is cancelled or the service shuts down. Throws ``UnknownPlace``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of events.
    ///   - aside: Runs the wait. A request uses it to give up its slot meanwhile.
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
