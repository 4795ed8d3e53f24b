public import Postgres
import Storage
import Synchronization

/// Caches tokens and sessions for one second at most, so that busy callers do not need a query for each call.
///
/// PostgreSQL notifies every process when a token is revoked, a session ends or a role changes. The cache is then
/// cleared. While no listener is connected, nothing is cached. If a notification is lost, cached values are outdated
/// for one second at most. A value that expires earlier is cached only until then.
public final class CallerMemory: Sendable {
    /// The maximum number of cached tokens, and of cached sessions.
    static let limit = 10_000
    /// The maximum number of memberships of a session to cache.
    static let maximumMemberships = 100

    private let tokens: ShortMemory<Credential>
    private let sessions: ShortMemory<Session>

    /// Creates a cache that stores nothing until it receives the event `listening`.
    public convenience init() { self.init(lifetime: .seconds(1)) }

    init(lifetime: Duration) {
        tokens = ShortMemory(limit: Self.limit, lifetime: lifetime)
        sessions = ShortMemory(limit: Self.limit, lifetime: lifetime)
    }

    /// Handles an event of a listener to ``Store/accessChannel``.
    public func note(_ event: Listener.Event) {
        switch event {
        case .listening: open()
        case .lost: close()
        case .notification(let notification): if notification.channel == Store.accessChannel { forget() }
        }
    }

    /// Removes all callers from the cache.
    func forget() {
        tokens.forget()
        sessions.forget()
    }

    /// Returns the token with this secret from the cache, or from `read`.
    func credential(
        _ secret: Secret, read: (Secret) async throws -> Credential?
    ) async throws -> Credential? {
        try await tokens.value(for: secret.sha256) {
            try await read(secret)
        } secondsLeft: {
            $0.secondsLeft
        }
    }

    /// Returns the session with this secret from the cache, or from `read`.
    func session(_ secret: Secret, read: (Secret) async throws -> Session?) async throws -> Session? {
        try await sessions.value(for: secret.sha256) {
            try await read(secret)
        } secondsLeft: { session in
            session.memberships.count > Self.maximumMemberships ? 0 : session.secondsLeft
        }
    }

    private func open() {
        tokens.open()
        sessions.open()
    }

    private func close() {
        tokens.close()
        sessions.close()
    }
}

/// Caches values by the digest of their secret, each for a limited time.
final class ShortMemory<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let end: ContinuousClock.Instant
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var isOpen = false
        /// The number of times that the cache was cleared. A value whose read started earlier is not stored.
        var generation = 0
    }

    private let limit: Int
    private let lifetime: Duration
    private let state = Mutex(State())

    init(limit: Int, lifetime: Duration) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// The number of cached values.
    var count: Int { state.withLock { $0.entries.count } }

    /// Clears the cache and allows it to store values.
    func open() { forget { $0.isOpen = true } }

    /// Clears the cache. It stores nothing until it is opened again.
    func close() { forget { $0.isOpen = false } }

    /// Clears the cache. Values that are being read are not stored.
    func forget() { forget { _ in } }

    /// Returns the cached value, or the value that `read` returns. The value's time in the cache starts with the read,
    /// because the value may change during it.
    ///
    /// - Parameter secondsLeft: Returns the number of seconds after which the value expires, or `nil` if it does not.
    func value(
        for key: [UInt8], read: () async throws -> Value?, secondsLeft: (Value) -> Double?
    ) async throws -> Value? {
        let start = ContinuousClock.now
        let (known, generation) = state.withLock { state in
            (state.entries[key].flatMap { $0.end > start ? $0.value : nil }, state.generation)
        }
        if let known { return known }
        guard let value = try await read() else { return nil }
        let left = secondsLeft(value).map { min(.seconds($0), lifetime) } ?? lifetime
        remember(Entry(value: value, end: start + left), under: key, since: generation)
        return value
    }

    private func remember(_ entry: Entry, under key: [UInt8], since generation: Int) {
        let now = ContinuousClock.now
        state.withLock { state in
            guard state.isOpen, state.generation == generation, entry.end > now else { return }
            if state.entries.count >= limit { state.entries = state.entries.filter { $0.value.end > now } }
            if state.entries.count >= limit { state.entries = [:] }
            state.entries[key] = entry
        }
    }

    private func forget(_ change: (inout sending State) -> Void) {
        state.withLock { state in
            change(&state)
            state.entries = [:]
            state.generation += 1
        }
    }
}
