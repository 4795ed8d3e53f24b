public import Postgres
import Storage
import Synchronization

/// Remembers tokens and sessions for at most a second after they were read, so that busy callers need no look-up for each
/// call.
///
/// PostgreSQL notifies every process when a token is revoked, a session ends or a role changes, and then everything is
/// forgotten. While no listener is connected, nothing is remembered. If a notification is lost, the second is the limit.
/// Nothing is remembered beyond its expiry.
public final class CallerMemory: Sendable {
    /// The most tokens, and the most sessions, that are remembered.
    static let limit = 10_000
    /// A session with more memberships is not remembered.
    static let maximumMemberships = 100

    private let tokens: ShortMemory<Credential>
    private let sessions: ShortMemory<Session>

    /// A memory that remembers nothing before it gets the event `listening`.
    public convenience init() { self.init(lifetime: .seconds(1)) }

    init(lifetime: Duration) {
        tokens = ShortMemory(limit: Self.limit, lifetime: lifetime)
        sessions = ShortMemory(limit: Self.limit, lifetime: lifetime)
    }

    /// Takes an event of a listener to ``Store/accessChannel`` into account.
    public func note(_ event: Listener.Event) {
        switch event {
        case .listening: open()
        case .lost: close()
        case .notification(let notification): if notification.channel == Store.accessChannel { forget() }
        }
    }

    /// Forgets all callers.
    func forget() {
        tokens.forget()
        sessions.forget()
    }

    /// The token with this secret, remembered or read.
    func credential(
        _ secret: Secret, read: (Secret) async throws -> Credential?
    ) async throws -> Credential? {
        try await tokens.value(for: secret.sha256) {
            try await read(secret)
        } secondsLeft: {
            $0.secondsLeft
        }
    }

    /// The session with this secret, remembered or read.
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

/// Values by the digest of their secret, each for a limited time after it was read.
final class ShortMemory<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let end: ContinuousClock.Instant
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var isOpen = false
        /// Counts the times that everything was forgotten.
        var generation = 0
    }

    private let limit: Int
    private let lifetime: Duration
    private let state = Mutex(State())

    init(limit: Int, lifetime: Duration) {
        self.limit = limit
        self.lifetime = lifetime
    }

    /// The number of remembered values.
    var count: Int { state.withLock { $0.entries.count } }

    /// Starts to remember.
    func open() { forget { $0.isOpen = true } }

    /// Forgets everything, and remembers nothing until it is opened again.
    func close() { forget { $0.isOpen = false } }

    /// Forgets everything, including values that are being read.
    func forget() { forget { _ in } }

    /// The remembered value, or the one that `read` returns. The time counts from the start of the read, because the
    /// value may have changed since.
    ///
    /// - Parameter secondsLeft: for how many seconds after the read the value is valid; `nil` for no limit.
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
