import HTTPAPI
import Postgres
import Publishing
import ServiceLifecycle
import Storage

/// Handles notifications from PostgreSQL. A new job or a change of the live files rings doorbells. A change of rights
/// clears cached callers. Notifications may be missed, so waiting services also check regularly.
struct Hints: Service {
    private let events: AsyncStream<Listener.Event>
    /// One doorbell for each waiting service, so that a busy service does not miss a ring.
    let jobs: [Doorbell]
    let live: [Doorbell]
    /// The callers that the API has cached.
    let callers: CallerMemory

    /// Follows the listener from now on, so that no event between this call and `run` is missed.
    init(listener: Listener, jobs: [Doorbell], live: [Doorbell], callers: CallerMemory) {
        events = listener.events()
        self.jobs = jobs
        self.live = live
        self.callers = callers
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await event in events {
                callers.note(event)
                switch event {
                case .listening:
                    for bell in jobs + live { bell.ring() }
                case .notification(let notification):
                    for bell in bells(of: notification.channel) { bell.ring() }
                case .lost: break
                }
            }
        }
        callers.note(.lost)
    }

    private func bells(of channel: String) -> [Doorbell] {
        switch channel {
        case Store.jobsChannel: jobs
        case Store.liveChannel: live
        default: []
        }
    }
}
