import Glibc
import Logging
import Postgres
import RunningWaymark
import Storage
import Synchronization

/// Records when each step of a publication becomes visible from outside. It uses PostgreSQL's notifications, which
/// follow a commit, and the answer to a consumer that waits for the next manifest.
final class Observer: Sendable {
    private struct Moments {
        var made: ContinuousClock.Instant?
        var live: ContinuousClock.Instant?
        var told: ContinuousClock.Instant?
    }

    private let moments = Mutex(Moments())
    private let isEnded = Atomic(false)

    /// Deletes the recorded times.
    func reset() { moments.withLock { $0 = Moments() } }

    /// The times since `reset`: the commit of the request, the commit that made the version live, and the new manifest.
    struct Seen {
        let made: ContinuousClock.Instant
        let live: ContinuousClock.Instant
        let told: ContinuousClock.Instant
    }

    enum Failure: Error { case notSeen }

    /// Waits until all times are known and returns them. This consumer may get its answer later than the edge.
    func all(within duration: Duration) throws -> Seen {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            let seen = moments.withLock { $0 }
            if let made = seen.made, let live = seen.live, let told = seen.told {
                return Seen(made: made, live: live, told: told)
            }
            usleep(1000)
        }
        throw Failure.notSeen
    }

    func stop() { isEnded.store(true, ordering: .relaxed) }

    /// Listens to PostgreSQL.
    func listen(_ configuration: PostgresConfiguration, logger: Logger) async throws {
        let listener = Listener(configuration, channels: [Store.jobsChannel, Store.liveChannel], logger: logger)
        let events = listener.events()
        async let listening: Void = listener.run()
        for await case .notification(let notification) in events {
            moments.withLock {
                if notification.channel == Store.jobsChannel {
                    if $0.made == nil { $0.made = .now }
                } else if $0.live == nil {
                    $0.live = .now
                }
            }
        }
        try await listening
    }

    /// Waits for manifests as a consumer does. Blocks its thread until `stop`.
    func follow(port: Int, secret: String) {
        guard let api = Connection(port: port) else { return }
        let fields = ["Host: localhost", "Authorization: Bearer \(secret)"]
        var tag = api.ask("HEAD", "/internal/manifest", fields: fields)?.field("etag") ?? ""
        while !isEnded.load(ordering: .relaxed) {
            let answer = api.ask(
                "GET", "/internal/manifest?wait=2", fields: fields + ["If-None-Match: \(tag)", "A-IM: waymark-delta"])
            guard let answer else { return }
            guard let next = answer.field("etag"), next != tag else { continue }
            tag = next
            moments.withLock { if $0.told == nil { $0.told = .now } }
        }
    }
}
