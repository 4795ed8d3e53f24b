import HTTPAPI
import Postgres
import Publishing
import ServiceLifecycle
import Storage

/// Rings the doorbells when PostgreSQL notifies of a job or of a change of the live files, and forgets callers when it
/// notifies of a change of rights. These are only hints: waiting services also check regularly.
struct Hints: Service {
    private let events: AsyncStream<Listener.Event>
    /// One doorbell per waiting service, so that no ring is lost while a service is busy.
    let jobs: [Doorbell]
    let live: [Doorbell]
    /// The callers that the API remembers.
    let callers: CallerMemory

    /// Follows the listener from now on, so that no event between this and `run` is missed.
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
